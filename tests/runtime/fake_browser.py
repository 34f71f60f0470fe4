"""A program that speaks as Chromium does over its pipe, and does what a page says: `hang`, `crash`, `leave`.

Its boxes: each numbered element is 100 pixels wide and 20 high, 30 below the one before; its texts are, too.
"""

from __future__ import annotations

import base64
import json
import os
import time
import xml.etree.ElementTree as ET
from typing import Any

PAGE = "http://page.invalid/"
FRAME = "F"
buffer = b""


def send(message: dict[str, Any]) -> None:
    os.write(4, json.dumps(message).encode() + b"\0")


def receive() -> dict[str, Any]:
    global buffer
    while b"\0" not in buffer:
        chunk = os.read(3, 1 << 20)
        if not chunk:
            raise SystemExit
        buffer += chunk
    line, _, buffer = buffer.partition(b"\0")
    message: dict[str, Any] = json.loads(line)
    return message


def request(url: str, kind: str, number: str) -> dict[str, Any]:
    given = {"requestId": number, "request": {"url": url}, "resourceType": kind, "frameId": FRAME}
    return {"method": "Fetch.requestPaused", "params": given}


def snapshot(page: str) -> dict[str, Any]:
    strings: list[str] = []

    def string(text: str) -> int:
        if text not in strings:
            strings.append(text)
        return strings.index(text)

    nodes: dict[str, list[Any]] = {"nodeType": [9], "parentIndex": [-1], "attributes": [[]]}
    layout: dict[str, list[Any]] = {"nodeIndex": [], "bounds": [], "styles": []}

    def add(kind: int, parent: int, attributes: list[int]) -> int:
        node = len(nodes["nodeType"])
        for name, value in (("nodeType", kind), ("parentIndex", parent), ("attributes", attributes)):
            nodes[name].append(value)
        layout["nodeIndex"].append(node)
        layout["bounds"].append([10, 30 * node, 100, 20])
        block = ["block", "visible", "16px", "400", "rgba(0, 0, 0, 0)"]
        layout["styles"].append([string(value) for value in block] if kind == 1 else [])
        return node

    def walk(element: ET.Element, parent: int) -> None:
        attributes = [string(each) for pair in element.attrib.items() for each in pair]
        node = add(1, parent, attributes)
        if element.text:
            add(3, node, [])
        for child in element:
            walk(child, node)
            if child.tail:
                add(3, node, [])

    walk(ET.fromstring(page), 0)
    document = {"nodes": nodes, "layout": layout, "contentWidth": 1024, "contentHeight": 5000}
    return {"strings": strings, "documents": [document]}


def main() -> None:
    page = ""
    while True:
        message = receive()
        method, given, result = message["method"], message["params"], {}
        if method == "Target.createTarget":
            result = {"targetId": "T"}
        elif method == "Target.attachToTarget":
            result = {"sessionId": "S"}
        elif method == "Page.getFrameTree":
            result = {"frameTree": {"frame": {"id": FRAME}}}
        elif method == "Page.navigate":
            send(request("http://elsewhere.example/a.css", "Stylesheet", "1"))
            send(request(given["url"], "Document", "2"))
        elif method == "Fetch.fulfillRequest":
            assert given["requestId"] == "2"
            page = base64.b64decode(given["body"]).decode()
            if "hang" in page:
                time.sleep(60)
            if "crash" in page:
                send({"method": "Inspector.targetCrashed", "params": {}})
            if "leave" in page:
                raise SystemExit
            send({"method": "Page.loadEventFired", "params": {}})
        elif method == "Fetch.failRequest":
            assert given["requestId"] == "1"
        elif method == "DOMSnapshot.captureSnapshot":
            if "nonsense" in page:
                send({"id": message["id"], "result": {"strings": []}})
                continue
            result = snapshot(page)
        send({"id": message["id"], "result": result})


if __name__ == "__main__":
    main()
