// Mozilla's Readability: pages in, a JSON string a line; for each a line with what it keeps, and the CPU time in seconds.
//
// node readability.mjs DIRECTORY PARENT: the directory that has its `node_modules`, and the process it works for.
import {createRequire} from "node:module";
import {createInterface} from "node:readline";
import {Worker} from "node:worker_threads";

// A page may hold the main thread for good: another one looks whether there is still anybody to answer.
new Worker(
    'setInterval(() => { if (process.ppid !== require("node:worker_threads").workerData) process.kill(process.pid, "SIGKILL"); }, 500)',
    {eval: true, workerData: Number(process.argv[3])},
).unref();

const require = createRequire(process.argv[2] + "/");
const {JSDOM, VirtualConsole} = require("jsdom");
const {Readability} = require("@mozilla/readability");

for await (const line of createInterface({input: process.stdin})) {
    const before = process.cpuUsage();
    let html = "", failure = null;
    try {
        // No script runs, and nothing is fetched; complaints of style sheets go to a console of nobody's.
        const dom = new JSDOM(JSON.parse(line), {virtualConsole: new VirtualConsole()});
        html = new Readability(dom.window.document).parse()?.content ?? "";
        dom.window.close();
    } catch (error) {
        failure = String(error);
    }
    const {user, system} = process.cpuUsage(before);
    process.stdout.write(JSON.stringify({html, failure, cpu: (user + system) / 1e6}) + "\n");
}
process.exit(0);
