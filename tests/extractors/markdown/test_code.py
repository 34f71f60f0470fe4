"""Code that is drawn without `pre`, and what stands in boxes of code beside it."""

from __future__ import annotations

import pytest

from tests.extractors.markdown.test_markdown import markdown

DRAWN = {
    "table of lines and numbers": (
        '<div class="syntaxhighlighter java"><div class="toolbar"><a href="#">?</a></div><table><tr>'
        '<td class="gutter"><div class="line">1</div><div class="line">2</div></td>'
        '<td class="code"><div class="container"><div class="line"><code class="keyword">int</code> '
        '<code>f() {</code></div><div class="line"><code>&nbsp;&nbsp;</code><code>}</code></div>'
        "</div></td></tr></table></div>"
    ),
    "lines of crayon": (
        '<table><tr><td class="crayon-nums"><div>1</div><div>2</div></td><td><div class="crayon-pre">'
        '<div class="crayon-line"><span>int</span> f() {</div>'
        '<div class="crayon-line">  }</div></div></td></tr></table>'
    ),
    "an ordered list": (
        '<div class="dp-highlighter"><div class="bar"><div class="tools">view <a href="#">x</a></div></div>'
        '<ol class="dp-j"><li><span><span>int</span> f() {</span></li><li><span>  }</span></li></ol></div>'
    ),
    "an editor": (
        '<div class="cm-editor"><div class="cm-content"><div class="cm-line">int f() {</div>'
        '<div class="cm-line"><span>  }</span></div></div></div>'
    ),
    "lines of a program's documentation": (
        '<div class="fragment"><div class="line"><span class="lineno">    1</span>int f() {</div>'
        '<div class="line"><span class="lineno">    2</span>  }</div></div>'
    ),
    "lines of two elements each": (
        '<div class="enlighter-default enlighter-hover"><div class="enlighter"><div class=""><div>'
        '<span class="enlighter-k1">int</span><span> f() {</span></div></div><div class=""><div>'
        "<span>  }</span></div></div></div></div>"
    ),
    "rows of a repository": (
        '<table class="highlight"><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">'
        "int f() {</td>"
        '</tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-code">  }</td></tr></table>'
    ),
    "lines of several elements": (
        "<div><div><span><code>int</code> <code>f() {</code></span></div>"
        "<div><span><code>}</code><code></code></span></div></div>"
    ),
    "rows with numbers": (
        "<table><tr><td><code>01.</code></td><td><code>int</code> <code>f() {</code></td></tr>"
        "<tr><td><code>02.</code></td><td><code>}</code></td></tr></table>"
    ),
    "code of several lines that is a block": "<div><code>int f() {\n  }</code></div>",
    "code whose class says block": '<code class="hl block">int f() {\n  }</code>',
    "code whose style says block": '<code style="color: red; display: block">int f() {\n  }</code>',
}


@pytest.mark.parametrize("name", DRAWN)
def test_code_drawn_without_pre_is_one_fence(name: str) -> None:
    written = markdown(f"<p>Sea</p>{DRAWN[name]}<p>salt</p>")
    # Without `pre`, and without a highlighter's name, lines are not indented.
    written = written.replace("```java", "```")
    assert written in {f"Sea\n\n```\nint f() {{\n{blanks}}}\n```\n\nsalt" for blanks in ("", "  ")}


@pytest.mark.parametrize(
    "html",
    [
        "<pre><code><div class=ec><div class=code>a</div></div><div class=ec><div class=code></div></div>"
        "<div class=ec><div class=code>b</div></div></code></pre>",
        "<pre><ol><li class=L0><i>a</i></li><li class=L1><i></i></li><li class=L2><i>b</i></li></ol></pre>",
        '<table class="highlight"><tr><td class="blob-num"></td><td class="blob-code">a</td></tr>'
        '<tr><td class="blob-num"></td><td class="blob-code"></td></tr>'
        '<tr><td class="blob-num"></td><td class="blob-code">b</td></tr></table>',
        '<div class="fragment"><div class="line">a</div>\n<div class="line"> </div>\n'
        '<div class="line">b</div></div>',
        '<div class="fragment"><div class="line"><i class="lineno">1</i>&#160;a</div>\n<div class="line">'
        '<i class="lineno">2</i>&#160; </div>\n<div class="line"><i class="lineno">3</i>&#160;b</div></div>',
        '<div class="enlighter"><div class=""><div>a</div></div><div class=""><div></div></div>'
        '<div class=""><div>b</div></div></div>',
        *(
            f"<pre><code><span {line}><i>a</i></span><span {line}></span><span {line}>b</span></code></pre>"
            for line in ("class=line", "class='x highlight-line'", "data-line=1", "style='display: flex'")
        ),
    ],
)
def test_an_empty_line_between_lines_in_elements_stays(html: str) -> None:
    assert markdown(html) == "```\na\n\nb\n```"


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<p>Take <code>a\nb</code> first.</p>", "Take `a b` first."),
        ("<li><code>a\nb</code></li>", "`a b`"),
        ('<div class="fragment"><p>a</p><p>b</p></div>', "a\n\nb"),
        ('<div class="highlight">a</div>', "a"),
        ("<code>a", "`a`"),
        ('<div class="crayon-pre">a', "a"),
        ("<pre><span class=kw>a</span><span class=op>b</span></pre>", "```\nab\n```"),
        ("<pre><span class=line>a</span><span class=line>b\n</span></pre>", "```\nab\n```"),
        ("<pre><span class=line>a</span><span class=line>b</span>\nc</pre>", "```\nab\nc\n```"),
    ],
)
def test_what_only_looks_like_code_is_none(html: str, written: str) -> None:
    assert markdown(html) == written


@pytest.mark.parametrize(
    "html",
    [
        "<pre><div><span>Python</span><button>Copy</button></div><code>a = 1\nb = 2</code></pre>",
        '<pre><div class="head"><div>Python</div></div><div><br>a = 1<br>b = 2</div></pre>',
        "<pre><div><b>python</b><i><button>C</button></i></div><div><code>a = 1\nb = 2</code></div></pre>",
        '<pre lang="python"><code>a = 1\nb = 2</code><button>Copy</button></pre>',
        "<pre><div><i>python</i> <i class=copy>copy</i></div><code lang=python>a = 1\nb = 2</code></pre>",
        "<div><div><span>Python</span><button>Copy</button></div><pre>a = 1\nb = 2</pre></div>",
    ],
)
def test_labels_and_buttons_of_a_box_are_no_code(html: str) -> None:
    assert markdown(html).endswith("```python\na = 1\nb = 2\n```")


@pytest.mark.parametrize(
    "html",
    [
        '<pre><span style="user-select:none">1</span>a = 1\n<b style="user-select: none">2</b>b = 2</pre>',
        '<pre><span class="select-none">$ </span>a = 1\n<span class="select-none">$ </span>b = 2</pre>',
        '<pre><a href="#">expand</a>a = 1\nb = 2</pre>',
        '<pre><div class="CodeMirror-measure"><pre>xxx</pre></div><pre>a = 1</pre><pre>b = 2</pre></pre>',
    ],
)
def test_what_cannot_be_selected_in_code_is_none(html: str) -> None:
    assert markdown(html) == "```\na = 1\nb = 2\n```"


@pytest.mark.parametrize(
    "html",
    [
        '<code-example language="sh"><x-code><pre>ls -a</pre></x-code></code-example>',
        '<x-code lang="sh"><header>Names</header><pre><code>ls -a</code></pre></x-code>',
    ],
)
def test_a_component_around_code_names_the_language(html: str) -> None:
    assert markdown(html).endswith("```sh\nls -a\n```")
    before = '<x-code language="sh"></x-code><pre>ls -a</pre>'
    assert markdown(before) == "```\nls -a\n```"


@pytest.mark.parametrize(
    "html",
    [
        "<pre><b>1</b>a = 1\n<b>2</b>b = 2</pre>",
        "<pre><span> 9 </span><span>a = 1\n</span><span>10 </span>b = 2</pre>",
        "<table><tr><td><pre>1\n2</pre></td><td><pre>a = 1\nb = 2</pre></td></tr></table>",
    ],
)
def test_numbers_that_count_lines_are_none_of_them(html: str) -> None:
    assert markdown(html) == "```\na = 1\nb = 2\n```"


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<pre><b>1</b>\n<b>2</b></pre>", "```\n1\n2\n```"),
        ("<pre><b>1</b> a\n<b>3</b> b</pre>", "```\n1 a\n3 b\n```"),
        ("<pre>1 a\n2 b</pre>", "```\n1 a\n2 b\n```"),
        ("<ul><li><code>a</code></li><li><code>b</code></li></ul>", "- `a`\n- `b`"),
        ("<table><tr><td>1<td><code>a</code><tr><td>2<td><code>b</code></table>",
         "| 1 | `a` |\n| --- | --- |\n| 2 | `b` |"),
        ("<p><code>a</code></p><pre><code>b</code></pre>", "`a`\n\n```\nb\n```"),
        ("<div><code>a</code>, b</div><div><code>c</code> d</div>", "`a`, b\n\n`c` d"),
    ],
)  # fmt: skip
def test_numbers_and_words_of_code_stay_what_they_are(html: str, written: str) -> None:
    assert markdown(html) == written


def test_a_word_of_code_is_no_label() -> None:
    html = "<pre><span>git</span> <span>clone</span> x\n<span>python</span></pre>"
    assert markdown(html) == "```\ngit clone x\npython\n```"


def test_no_break_spaces_indent_code() -> None:
    assert markdown("<pre>a\n&nbsp;&nbsp;b\n\u00a0\u00a0c</pre>") == "```\na\n  b\n  c\n```"


def test_an_image_for_browsers_without_scripts_does_not_part_a_line() -> None:
    html = '<p>Salt <noscript><img src="a.png"></noscript> and <noscript>Turn on scripts</noscript> sand</p>'
    assert markdown(html) == "Salt and\n\nTurn on scripts\n\nsand"
