// What the WHATWG Encoding Standard makes of texts: lines of hexadecimal digits in, JSON out.
// node standard.mjs ENCODING
import { TextDecoder } from '@exodus/bytes/encoding.js'
import { readFileSync } from 'node:fs'

const decoder = new TextDecoder(process.argv[2], { ignoreBOM: true })
const lines = readFileSync(0, 'latin1').split('\n').slice(0, -1)
process.stdout.write(JSON.stringify(lines.map((line) => decoder.decode(Buffer.from(line, 'hex')))))
