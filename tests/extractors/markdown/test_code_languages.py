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
        ("hljs copy go", ""),
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
    ],
)
def test_a_class_names_the_language(classes: str, named: str) -> None:
    tag = f'<code class="{classes}">'.encode()
    assert language(tag, [(0, len(tag))]) == named
