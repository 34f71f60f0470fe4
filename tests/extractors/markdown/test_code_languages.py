"""The language of code in the classes that highlighters leave."""

from __future__ import annotations

import pytest

from cedar.transforms.extractors.markdown._reading import language


@pytest.mark.parametrize(
    ("classes", "named"),
    [
        ("language-Rust x", "rust"),
        ("hljs language-bash", "bash"),
        ("language-bash hljs", "bash"),
        ("hljs lang-py", "py"),
        ("javascript hljs", "javascript"),
        ("hljs go", "go"),
        ("hljs go copy", "go"),
        ("hljs copy go", "go"),
        ("hljs", ""),
        ("hljs plaintext", ""),
        ("hljs undefined", ""),
        ("sourceCode haskell", "haskell"),
        ("prettyprint lang-js", "js"),
        ("prettyprint linenums", ""),
        ("highlight highlight-source-shell", "shell"),
        ("brush: c++; toolbar: false", "c++"),
        ("lang:ruby decode:true", "ruby"),
        ("slang-x", ""),
        ("theme-dark", ""),
        ("mw-highlight mw-highlight-lang-lua", "lua"),
        ("python", "python"),
        ("wide python", "python"),
        ("wide", ""),
        ("lang-auto", ""),
    ],
)
def test_a_class_names_the_language(classes: str, named: str) -> None:
    tag = f'<code class="{classes}">'.encode()
    assert language(tag, [(0, len(tag))]) == named


@pytest.mark.parametrize(
    ("tag", "named"),
    [
        ('<pre data-enlighter-language="cpp">', "cpp"),
        ('<pre data-enlighter-language="generic">', ""),
        ('<div class="enlighter-default enlighter-l-cpp">', "cpp"),
        ('<pre data-code-block-lang="go">', "go"),
        ('<pre lang="php" line="1">', "php"),
        ('<pre lang="en">', ""),
        ('<pre language="java" hreflang="de">', "java"),
        ('<pre data-syntaxhighlighter-params="brush: sql; gui: false">', "sql"),
        ('<div class="highlight-python3 notranslate">', "python3"),
        ('<div class="highlight-default">', ""),
        ('<div class="highlight-box">', ""),
        ('<div class="highlight hl-ipython3">', "ipython3"),
        ('<div class="highlight ruby">', "ruby"),
        ('<div class="ruby">', ""),
        ('<pre class="src src-emacs-lisp">', "emacs-lisp"),
        ('<pre class="code perl">', "perl"),
        ('<pre class="sh_haskell">', "haskell"),
        ('<pre class="sunlight-highlight-ruby">', "ruby"),
        ('<code class="language-python:winch.py">', "python"),
        ('<code class="language-python{1,3}">', "python"),
        ('<code class="lang-auto hljs">', ""),
        ('<div class="code-listing" data-syntax="swift">', "swift"),
        ('<div class="blob-wrapper data type-python">', "python"),
        ('<div class="python source-python">', "python"),
        ('<div class="syntaxhighlighter sql" id="h">', "sql"),
    ],
)
def test_a_tag_names_the_language(tag: str, named: str) -> None:
    assert language(tag.encode(), [(0, len(tag))]) == named
