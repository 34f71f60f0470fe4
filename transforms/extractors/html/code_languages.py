"""Names of programming languages, as highlighters and labels of code have them."""

import re

_NAMES = """
    1c abap abnf actionscript ada agda angelscript antlr apache apacheconf apex apl applescript arduino
    arm asciidoc asm asm6502 aspectj aspnet assembly autohotkey autoit avrasm awk bash basic batch
    bibtex bicep bison bnf brainfuck c c# c++ cfc clojure cmake cobol coffee coffeescript coldfusion
    console coq cpp crystal csharp cshtml csp css csv cuda cypher cython d dart delphi diff django
    docker dockerfile dos dot ebnf elisp elixir elm emacs-lisp erb erlang excel f# fish flow fortran
    fsharp gas gcode gdb gherkin git glsl gml gnuplot go golang gradle graphql groovy haml handlebars
    haskell haxe hcl hlsl html html5 http ini ipython ipython3 java javascript jinja jinja2 jolie jq js
    json json5 jsonc jsp jsx julia kotlin kql kusto latex lean lean4 less lisp livescript llvm lua make
    makefile markdown markup mathematica matlab maxima mdx mermaid mips ml mysql nasm nginx nim nix nsis
    objc objective-c objectivec ocaml octave openscad pascal perl pgsql php plpgsql plsql postgresql
    powershell processing prolog properties protobuf ps1 pug puppet purescript pwsh py pycon pycon3 pytb
    python python2 python3 q qml r racket raku razor rb reasonml regex rest rst ruby rust sas sass scala
    scheme scilab scss sh shell shell-session shellsession smalltalk solidity sparql sql sqlite ssh
    stata stylus svelte svg swift systemverilog tcl terraform tex thrift toml ts tsql tsx twig
    typescript vala vb vb.net vba vbnet vbs vbscript verilog vhdl vim viml vue wasm wgsl wolfram x86asm
    xhtml xml xquery xsl xslt yaml yml zig zsh
"""
KNOWN = frozenset(_NAMES.split())
"""Names that a class, an attribute or a label may have for a language with nothing else saying so."""

_SPELLINGS = {
    "shell session": "shell-session",
    "c sharp": "csharp",
    "objective c": "objective-c",
    "visual basic": "vb",
    "plain javascript": "javascript",
}
_BLANKS = re.compile(r"\s+")


def labelled(label: str) -> str:
    """Return the language that a label of code names, in lower case; "" if it names none."""
    name = _BLANKS.sub(" ", label).strip().rstrip(":").lower()
    name = _SPELLINGS.get(name, name)
    return name if name in KNOWN else ""
