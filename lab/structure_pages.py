r"""Forty pages with their Markdown: code, tables, formulas and lists in seven languages. All was written for this set.

    python -m lab.structure_pages FILE

writes them as JSON lines, as `cedar evaluate --structure` reads them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

TEXTS = {
    "en": (
        "Salt pans", "The evening tide",
        "The pans lie behind the dyke, and on calm days the water in them is as still as glass. Each of them is "
        "filled once a week, and what the sun leaves behind is raked together by hand.",
        "Nobody remembers who built the first one, but the oldest map of the coast shows three, and the people "
        "of the village still call the lowest of them the old mother.",
    ),
    "de": (
        "Die Salzgärten", "Am Abend kommt die Flut",
        "Die Becken liegen hinter dem Deich, und an stillen Tagen ist das Wasser darin glatt wie Glas. Jedes wird "
        "einmal in der Woche gefüllt, und was die Sonne übrig lässt, wird von Hand zusammengeschoben.",
        "Niemand weiß mehr, wer das erste gebaut hat, aber die älteste Karte der Küste zeigt drei, und die Leute "
        "im Dorf nennen das unterste noch immer die alte Mutter.",
    ),
    "fr": (
        "Les marais salants", "La marée du soir",
        "Les bassins se trouvent derrière la digue, et par temps calme l'eau y est lisse comme du verre. Chacun est "
        "rempli une fois par semaine, et ce que le soleil laisse est ramassé à la main.",
        "Personne ne sait plus qui a construit le premier, mais la plus vieille carte de la côte en montre trois, "
        "et les gens du village appellent encore le plus bas la vieille mère.",
    ),
    "es": (
        "Las salinas", "La marea de la tarde",
        "Las balsas están detrás del dique, y en los días tranquilos el agua es lisa como el vidrio. Cada una se "
        "llena una vez por semana, y lo que deja el sol se recoge a mano.",
        "Nadie recuerda quién hizo la primera, pero el mapa más antiguo de la costa muestra tres, y la gente del "
        "pueblo todavía llama a la más baja la madre vieja.",
    ),
    "ru": (
        "Соляные пруды", "Вечерний прилив",
        "Пруды лежат за дамбой, и в тихие дни вода в них гладкая, как стекло. Каждый наполняют раз в неделю, и то, "
        "что оставляет солнце, собирают руками.",
        "Никто уже не помнит, кто вырыл первый, но на самой старой карте побережья их три, и в деревне нижний до "
        "сих пор называют старой матерью.",
    ),
    "ja": (
        "塩田", "夕方の潮",
        "塩田は堤防の裏にあり、静かな日には水面が鏡のように滑らかになる。それぞれに週に一度海水が引き入れられ、太陽が残した"
        "ものを人の手で集める。",
        "最初の塩田を誰が作ったのかを覚えている人はもういないが、海岸の最も古い地図には三つが描かれていて、村の人々は一番低い"
        "ものを今でも古い母と呼んでいる。",
    ),
    "zh": (
        "盐田", "傍晚的潮水",
        "盐田在堤坝的后面，平静的日子里水面像玻璃一样光滑。每一块盐田每周注一次水，太阳留下来的东西由人们用手耙到一起。",
        "没有人记得第一块盐田是谁修的，但是海岸最古老的地图上画着三块，村里的人现在仍然把最低的那一块叫作老母亲。",
    ),
}  # fmt: skip
"""Of each language: the headline, a heading, two paragraphs."""

CODE = (
    ("<pre><code class=\"language-python\">def fill(pan):\n    pan.level += 3\n\n    return pan</code></pre>",
     "```python\ndef fill(pan):\n    pan.level += 3\n\n    return pan\n```"),
    ("<div class=\"highlight-source-c\"><pre>int rake(int *pans) {\n\treturn *pans &lt;&lt; 2;\n}</pre></div>",
     "```c\nint rake(int *pans) {\n\treturn *pans << 2;\n}\n```"),
    ("<table class=\"rouge-table\"><tbody><tr><td class=\"gutter\"><pre class=\"lineno\">1\n2\n3</pre></td><td class=\"code\">"
     "<pre>let tide = 4;\nlet pan = tide * 2;\nconsole.log(pan);</pre></td></tr></tbody></table>",
     "```\nlet tide = 4;\nlet pan = tide * 2;\nconsole.log(pan);\n```"),
    ("<pre class=\"brush: bash; gutter: false\">$ salt --rake 'all pans'\n# done\n$ echo `date`</pre>",
     "```bash\n$ salt --rake 'all pans'\n# done\n$ echo `date`\n```"),
    ("<pre data-lang=\"rust\"><span class=\"lineno\">1 </span>fn main() {\n<span class=\"lineno\">2 </span>    rake();\n"
     "<span class=\"lineno\">3 </span>}</pre>",
     "```rust\nfn main() {\n    rake();\n}\n```"),
    ("<p><code>SELECT pan, level</code><br><code>FROM salt</code><br><code>WHERE level &gt; 3;</code></p>",
     "```\nSELECT pan, level\nFROM salt\nWHERE level > 3;\n```"),
    ("<pre>```\nnot the end\n```</pre>", "````\n```\nnot the end\n```\n````"),
    ("<pre><code class=\"hljs go\">func Fill(p *Pan) error {<br>\treturn p.Open()<br>}</code></pre>",
     "```go\nfunc Fill(p *Pan) error {\n\treturn p.Open()\n}\n```"),
    ("<ol><li>First<pre><code class=\"lang-yaml\">pans:\n  - name: mother\n    level: 3</code></pre></li>"
     "<li>Then</li></ol>",
     "1. First\n\n   ```yaml\n   pans:\n     - name: mother\n       level: 3\n   ```\n2. Then"),
    ("<div class=\"sourceCode\"><pre class=\"sourceCode haskell\"><code>rake :: [Pan] -&gt; Salt\nrake = foldr (+) 0</code>"
     "</pre></div>", "```haskell\nrake :: [Pan] -> Salt\nrake = foldr (+) 0\n```"),
)  # fmt: skip

ROWS = (("Mother", "31", "dry"), ("North", "27", "half"), ("South", "12", "full"))


def _rows(tag: str = "td") -> str:
    return "".join("<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in row) + "</tr>" for row in ROWS)


BODY = "\n".join(f"| {' | '.join(row)} |" for row in ROWS)
HEAD = "| Pan | Sacks | State |\n| --- | --- | --- |\n"
TABLES = (
    (f"<table><thead><tr><th>Pan</th><th>Sacks</th><th>State</th></tr></thead><tbody>{_rows()}</tbody></table>",
     HEAD + BODY),
    (f"<table><tr><td>Pan</td><td>Sacks</td><td>State</td></tr>{_rows()}</table>", HEAD + BODY),
    (f"<table><caption>Harvest of the year</caption><tr><th>Pan<th>Sacks<th>State{_rows()}</table>",
     "Harvest of the year\n\n" + HEAD + BODY),
    (f"<table><tr><th>Pan</th><th colspan=2>Harvest</th></tr>{_rows()}</table>",
     "| Pan | Harvest | |\n| --- | --- | --- |\n" + BODY),
    ("<table><tr><th>Pan<th>Month<th>Sacks<tr><td rowspan=2>Mother<td>May<td>9<tr><td>June<td>22</table>",
     "| Pan | Month | Sacks |\n| --- | --- | --- |\n| Mother | May | 9 |\n| | June | 22 |"),
    (f"<table><thead><th>Pan<th>Sacks<th>State</thead><tbody>{_rows()}</tbody></table>", HEAD + BODY),
    ("<table><tr><th>Pan</th><th>Tool</th></tr><tr><td><p>Mother</p><p>old</p></td><td><code>rake|3</code></td></tr>"
     "<tr><td>North<br>new</td><td><b>hoe</b></td></tr></table>",
     "| Pan | Tool |\n| --- | --- |\n| Mother old | `rake\\|3` |\n| North new | **hoe** |"),
    (f"<table><tr><td>All that was raked</td></tr><tr><th>Pan<th>Sacks<th>State</tr>{_rows()}</table>",
     "| All that was raked | | |\n| --- | --- | --- |\n| Pan | Sacks | State |\n" + BODY),
    (f"<div><table border=0><tr><td><table><tr><th>Pan<th>Sacks<th>State{_rows()}</table></td></tr></table></div>",
     HEAD + BODY),
    (f"<table><colgroup><col><col></colgroup><tr><th></th><th>Sacks</th><th>State</th></tr>{_rows()}</table>",
     "| | Sacks | State |\n| --- | --- | --- |\n" + BODY),
)  # fmt: skip

FORMULAS = (
    ("<p>{0} <math><mi>h</mi><mo>=</mo><mfrac><mi>V</mi><mi>A</mi></mfrac></math>.</p>", "{0} $h = \\frac{{V}}{{A}}$."),
    ("<p>{0} <span class=\"katex\"><span class=\"katex-mathml\"><math><semantics><mi>x</mi><annotation "
     "encoding=\"application/x-tex\">x_1^2</annotation></semantics></math></span><span class=\"katex-html\" "
     "aria-hidden=\"true\">x12</span></span>.</p>", "{0} $x_1^2$."),
    ("<p>{0}</p><script type=\"math/tex; mode=display\">\\sum_i s_i = 3</script><p>{0}</p>",
     "{0}\n\n$$\n\\sum_i s_i = 3\n$$\n\n{0}"),
    ("<p>{0} \\(a^2 + b^2\\), {0}</p>", "{0} $a^2 + b^2$, {0}"),
    ("<p>{0}</p><p>$$\\int_0^1 t\\,dt$$</p>", "{0}\n\n$$\n\\int_0^1 t\\,dt\n$$"),
    ("<p>{0} <img class=\"latex\" src=\"/tex.png\" alt=\"\\rho &lt; 1\">, {0}</p>", "{0} $\\rho < 1$, {0}"),
    ("<p>{0} <mjx-container class=\"MathJax\" jax=\"CHTML\"><mjx-math><mjx-c></mjx-c></mjx-math><mjx-assistive-mml>"
     "<math><msqrt><mi>λ</mi></msqrt></math></mjx-assistive-mml></mjx-container>, {0}</p>",
     "{0} $\\sqrt{{\\lambda}}$, {0}"),
    ("<p>{0} <span class=\"mwe-math-element\"><span class=\"mwe-math-mathml-inline\"><math alttext=\"{{\\displaystyle "
     "k}}\"><mi>k</mi></math></span><img class=\"mwe-math-fallback-image-inline\" alt=\"k\"></span>, {0}</p>",
     "{0} ${{\\displaystyle k}}$, {0}"),
    ("<p>{0}</p><p><math display=\"block\"><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi>"
     "</munderover><msub><mi>s</mi><mi>i</mi></msub></math></p><p>{0}</p>",
     "{0}\n\n$$\n\\sum_{{i = 1}}^{{n}} s_{{i}}\n$$\n\n{0}"),
    ("<p>{0} <span class=\"math\" data-tex=\"p \\to q\">p → q</span>, {0}</p>", "{0} $p \\to q$, {0}"),
)  # fmt: skip

LISTS = (
    ("<ul><li>rake<li>hoe<li>sack</ul>", "- rake\n- hoe\n- sack"),
    ("<ol start=4><li>rake</li><li>hoe</li></ol>", "4. rake\n5. hoe"),
    ("<ul><li>tools<ul><li>rake</li><li>hoe</li></ul></li><li>sacks</li></ul>",
     "- tools\n  - rake\n  - hoe\n- sacks"),
    ("<ol><li>open<ul><li>the gate</li></ul></li><li>close</li></ol>", "1. open\n   - the gate\n2. close"),
    ("<ul><li>tools</li><ul><li>rake</li></ul><li>sacks</li></ul>", "- tools\n  - rake\n- sacks"),
    ("<dl><dt>Pan</dt><dd>a basin of clay</dd><dt>Rake</dt><dd>a board on a pole</dd></dl>",
     "- Pan\\\n  a basin of clay\n- Rake\\\n  a board on a pole"),
    ("<ul><li><p>rake, which is long</p><p>and old</p></li><li><p>hoe</p></li></ul>",
     "- rake, which is long\n\n  and old\n- hoe"),
    ("<ul><li><input type=checkbox checked> filled</li><li><input type=checkbox> raked</li></ul>",
     "- [x] filled\n- [ ] raked"),
    ("<blockquote><p>Bring:</p><ol><li>a rake</li><li>a sack</li></ol></blockquote>",
     "> Bring:\n>\n> 1. a rake\n> 2. a sack"),
    ("<ul><li>a <b>long</b> rake</li><li>1986. is no number</li><li># is no heading</li></ul>",
     "- a **long** rake\n- 1986\\. is no number\n- \\# is no heading"),
)  # fmt: skip

KINDS = (("code", CODE), ("table", TABLES), ("formula", FORMULAS), ("list", LISTS))


def pages() -> Iterator[dict[str, str]]:
    """The pages, each with what a site has around it."""
    languages = tuple(TEXTS)
    for kind, pieces in KINDS:
        for number, (html, markdown) in enumerate(pieces):
            language = languages[number % len(languages)]
            title, heading, first, last = TEXTS[language]
            if kind == "formula":
                html, markdown = html.format(first), markdown.format(first)
            yield {
                "id": f"{kind}-{number + 1}",
                "lang": language,
                "page_type": kind,
                "url": f"https://pans.example/{kind}/{number + 1}",
                "html": f"<!DOCTYPE html><html lang={language}><head><title>{title}</title></head><body><nav><ul>"
                "<li><a href=/>Home</a><li><a href=/a>About</a></ul></nav><main><article>"
                f"<h1>{title}</h1><p>{first}</p>{html}<h2>{heading}</h2><p>{last}</p></article></main>"
                "<footer><a href=/i>Imprint</a></footer></body></html>",
                "markdown": f"# {title}\n\n{first}\n\n{markdown}\n\n## {heading}\n\n{last}",
            }


if __name__ == "__main__":
    lines = (json.dumps(page, ensure_ascii=False) + "\n" for page in pages())
    Path(sys.argv[1]).write_text("".join(lines), encoding="utf-8")
