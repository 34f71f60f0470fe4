"""A page laid out by a real Chromium, over its pipe."""

from __future__ import annotations

import os

import numpy as np
import pytest

from cedar.transforms.extractors.tree.tree import read_tree, visible_source
from cedar.transforms.extractors.vips import rendering
from cedar.transforms.extractors.vips.browsers import browser_command
from cedar.transforms.runtime.chromium import Browser, BrowserLostError

PAGE = (
    b"<title>never closed<body>"
    b"<style>#side { float: left; width: 200px } #main { margin-left: 250px }</style>"
    b"<div id=side>Home</div><div id=main bgcolor=red>The story<p>goes on</p></div>"
    b"<meta http-equiv=refresh content='0;url=http://elsewhere.example/'><script>document.body.remove()</script>"
)


def test_boxes_are_those_of_the_styles_in_the_page_and_nothing_runs() -> None:
    browser = Browser(browser_command(sandbox=os.geteuid() != 0))
    try:
        for page in (PAGE.replace(b"<title>never closed", b""), PAGE):
            tree = read_tree(visible_source(page), keep_hidden=False)
            boxes = rendering.boxes_of(tree, browser.lay_out(rendering.numbered(tree, page)))
            divs = np.flatnonzero(tree.named("div"))
            if divs.size:
                left, width = boxes.elements["box"][divs, 0], boxes.elements["box"][divs, 2]
                assert (width[0], left[1] - left[0]) == (200, 250)
                assert (boxes.texts[tree.chars > 0][:, 2] > 0).all()
        start = '<html xmlns="http://www.w3.org/1999/xhtml">'
        with pytest.raises(BrowserLostError):
            browser.lay_out(start + "<div>" * 30_000 + "</div>" * 30_000 + "</html>")
        assert browser.lay_out(f'{start}<body {rendering.NUMBER}="0">x</body></html>').elements.size == 1
        assert browser.starts == 2
    finally:
        browser.close()
