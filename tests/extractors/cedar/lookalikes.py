"""Pages with content that look like pages without; all are made up."""

from __future__ import annotations

from tests.extractors.cedar.pages import SENTENCES
from tests.extractors.cedar.sites import bare, login, news, shop

_DE = (
    "Der Film erzählt von einer Bibliothekarin, die ein Buch sucht, aus dem eine Seite herausgerissen wurde. "
)
_EN = SENTENCES["en"]


def story(title: str, text: str) -> str:
    """An article."""
    return f"<article><h1>{title}</h1><p class=byline>By Anna Rower</p><p>{text}</p></article>"


CONTENT = {
    "an article titled as a refusal": news(
        "Access denied: how the harbour lost its archive - The Harbour Post",
        story("Access denied: how the harbour lost its archive", _EN * 5),
    ),
    "an article titled as a refusal alone": news("Access denied", story("Access denied", _EN * 6)),
    "a film titled as a missing page": bare(
        "Seite nicht gefunden: ein Film von Jana Rot",
        f"<h1>Seite nicht gefunden: ein Film von Jana Rot</h1><p>{_DE * 4}</p>",
    ),
    "a short film page": bare(
        "Page not found (film)",
        "<h1>Page not found (film)</h1><p>A librarian looks for a book of which a page was torn out. "
        "Directed by Jana Rot, "
        "with Max Kern and Ida Holm. 94 minutes, in German with subtitles.</p><p>Friday at eight, Harbour "
        "cinema. Tickets "
        "cost seven euros at the door.</p>",
    ),
    "a story about a number": news(
        "404 people crossed the bridge", story("404 people crossed the bridge", _EN * 3)
    ),
    "a story about 500 errors": news("500 jobs go at the yard", story("500 jobs go at the yard", _EN * 3)),
    "help on signing in": shop(
        "How to sign in - Help",
        "<h1>How to sign in</h1><ol><li>Open the shop in your browser and press the button with the "
        "little person in the top "
        "corner.</li><li>Write the address that you gave when you ordered for the first "
        "time.</li><li>Write the password from "
        "the letter, or ask for a new one.</li></ol><p>If it does not work, look whether the keys for "
        "capitals are locked. "
        "After five attempts the account is closed for an hour, and we send you a message.</p>",
    ),
    "help on cookies": shop(
        "Cookies",
        "<div class=cookie-policy><h1>Cookies</h1><p>"
        + "We keep a cookie for the cart and one for the login. " * 8
        + "</p></div>",
    ),
    "an article under a login": news(
        "Where climbers sign in now",
        login("Name", "Password", "Log in") + story("Where climbers sign in now", _EN * 7),
    ),
    "a members' page with a login": shop(
        "Members",
        "<h1>Members</h1><p>"
        + "Members row on Tuesdays and Fridays, and pay half for the boats at the old pier. " * 6
        + "</p>"
        + login("Name", "Password", "In"),
    ),
    "what a membership is": shop(
        "Login or Register | Ropes & Knots",
        "<h1>Register</h1><p>Register now to check the status of your orders and to enjoy all the "
        "benefits of an account.</p>"
        "<ul>"
        + "".join(
            f"<li>{text}</li>"
            for text in (
                "Track payments, dates of shipping and delivery, and cancel orders in time, whenever you "
                "wish.",
                "Store your information for even faster orders, at home and on the way.",
                "Update addresses for bills and for parcels in one place, for all our shops.",
                "Get special offers and information about what you like, by mail or by letter.",
                "See everything that you bought from us in ten years, with bills to print.",
            )
        )
        + "</ul>"
        + login("E-mail", "Password", "Sign in"),
    ),
    "a thin contact page": shop(
        "Contact",
        "<h1>Contact</h1><p>Ropes & Knots Ltd.<br>12 Quay Street<br>Harbourtown</p><p>Phone 01234 "
        "567890<br>Monday to "
        "Friday, 9 to 17</p>",
    ),
    "a thin contact page in Portuguese": shop(
        "Contato",
        "<h1>Contato</h1><p>Rua do Porto 12, Lisboa</p><p>Telefone: 21 123 45 67</p><p>Segunda a sexta, "
        "das 9h às 18h</p>",
    ),
    "a short product": shop(
        "Rope 10 mm, 50 m",
        "<div itemscope itemtype=http://schema.org/Product><h1 itemprop=name>Rope 10 mm, 50 m</h1><p "
        "class=price>49,90 €</p>"
        "<p itemprop=description>A light rope for climbing in halls. Dry treated, red or "
        "blue.</p><button>Add to cart</button>"
        "<ul><li>Weight: 62 g/m<li>Falls: 8</ul></div>",
    ),
    "a product that is no longer sold": shop(
        "Tent Alba 3",
        "<div itemscope itemtype=http://schema.org/Product><h1 itemprop=name>Tent Alba 3</h1><p "
        "class=alert>This product is no "
        "longer available.</p><p itemprop=description>A tent for three with two doors and a porch for the "
        "boots. It stands in "
        "four minutes and weighs two kilos, with pegs and bags, and keeps dry in a storm of three "
        "days.</p></div>",
    ),
    "a vacancy at a login's maker": news(
        "Sign-in engineer - Jobs",
        story(
            "Sign-in engineer",
            "You build the pages on which our readers sign in. You know the standards and their traps, "
            "write plain code, and like to talk with the people who answer our readers' letters. Four "
            "days a week, from May on. ",
        ),
    ),
    "a song of an error": bare(
        "Erreur 404 - paroles",
        "<h1>Erreur 404</h1><p>Je cherche ton nom dans la ville<br>et la ville ne répond pas<br>je "
        "cherche ta voix dans les "
        "îles<br>et la mer ne la rend pas</p><p>Erreur, erreur, mon amour est parti<br>la page est "
        "blanche et le train est "
        "parti<br>Erreur, erreur, je reviens à midi<br>si tu m’attends encore ici</p>",
    ),
    "a definition of a status": bare(
        "404 Not Found - HTTP",
        "<main><h1>404 Not Found</h1><p>The HTTP 404 Not Found response status code indicates that the "
        "server cannot find the "
        "requested resource. Links that lead to a 404 page are often called broken or dead links.</p><p>A "
        "404 status code does "
        "not say whether the lack is temporary or permanent. If a resource is gone for ever, servers "
        "should send the 410 status "
        "instead, so that caches and crawlers may forget it.</p><h2>Example</h2><pre>HTTP/1.1 404 Not "
        "Found\nAge: 249970</pre>"
        "</main>",
    ),
    "a guide to a lost page": news(
        "Страница не найдена: что делать",
        story(
            "Страница не найдена: что делать",
            "Сначала проверьте адрес, который вы набрали, и поищите в нём лишние знаки. "
            "Потом откройте главную страницу сайта и найдите раздел, где текст стоял раньше. Если его нет "
            "и там, помогает архив, "
            "который хранит старые копии. Напишите и хозяину сайта: часто он и не знает, что ссылка "
            "больше никуда не ведёт.",
        ),
    ),
    "a poem of a cart": news(
        "Der leere Korb",
        story(
            "Der leere Korb",
            "Der Korb ist leer, der Markt ist aus, ein Kind geht ohne Brot "
            "nach Haus. Der Wind fegt über Stein und Stand und nimmt den letzten Rest vom Land.",
        ),
    ),
    "a short notice of the office": news(
        "Wartungsarbeiten am Wasserwerk",
        story(
            "Wartungsarbeiten am Wasserwerk",
            "Am Dienstag wird das Wasserwerk gewartet. Zwischen acht und zwölf Uhr kann das Wasser "
            "in der Hafenstraße und am Markt trüb sein. Es ist trotzdem unbedenklich, sagt die Stadt.",
        ),
    ),
    "a short story on robots": news(
        "Robot or human?",
        story(
            "Robot or human?",
            "The crane at pier four was moved by a robot for the first time on Monday. "
            "Nobody on the ship noticed it, the captain said. The harbour will buy two more of them next "
            "year.",
        ),
    ),
    "a festival that comes soon": bare(
        "Coming soon: the harbour festival",
        "<h1>Coming soon: the harbour festival</h1><p>From the third to the fifth of June the harbour "
        "celebrates its birthday, with "
        "music on three ships, a market at the quay and fireworks on Sunday at eleven.</p>",
    ),
    "a thread on a login": news(
        "Login does not work - Harbour Forum",
        "<h1>Login does not work</h1>"
        + "".join(
            f"<div class=post><b>{name}</b><p>{text}</p></div>"
            for name, text in (
                (
                    "mia",
                    "Since yesterday I cannot log in any more, it says that my name is unknown. Does "
                    "anybody else see that?",
                ),
                ("tom", "Same here, since the update on Sunday. It helps to delete the cookies of the site."),
                ("mia", "Thank you, that worked at once!"),
            )
        ),
    ),
    "a story of a suspended account": news(
        "Account suspended",
        story(
            "Account suspended",
            "The harbour's account was suspended on Monday after strangers had sent "
            "adverts in its name. The office asks all readers not to open the messages, and to delete "
            "them. It hopes to be back on "
            "Thursday. Until then, times of ships stand on the board at the pier and in this paper.",
        ),
    ),
    "a short Chinese story on a missing page": news(
        "课本缺页 找不到第三页", story("课本缺页 找不到第三页", SENTENCES["zh"] * 3)
    ),
    "a choice of languages with a text": bare(
        "Hafen Hotel",
        "<div class=lang><a href=/de>Deutsch</a> <a href=/en>English</a></div><h1>Hafen "
        "Hotel</h1><p>Twenty quiet rooms at the quay, "
        "breakfast with a view of the ships, and boats to borrow for our guests. Open from March to "
        "October.</p>",
    ),
    "how to get a script running": news(
        "How to enable JavaScript",
        story(
            "How to enable JavaScript",
            "Open the settings of your browser and look for the part on content. There, set a tick at "
            "JavaScript and close the window. Load the page again. If it stays white, an extension may "
            "block scripts; switch them "
            "off one by one.",
        ),
    ),
    "results of a search": shop(
        "Search results for: 'rope'",
        "<h1>Search results for 'rope'</h1>"
        + "".join(
            f"<div class=product><h3><a href=/p/{i}>{name}</a></h3><p>{text}</p><span class=price>{price} "
            f"€</span></div>"
            for i, (name, text, price) in enumerate(
                (
                    ("Rope 10 mm", "A light rope for climbing in halls, dry treated.", 49),
                    ("Rope 8 mm", "Thin and strong, for two at a time, on ice and rock.", 69),
                    ("Rope bag", "Holds eighty metres and opens to a sheet.", 25),
                    ("Rope washer", "Cleans a rope in ten minutes at any tap.", 19),
                )
            )
        ),
        "class='catalogsearch-result-index'",
    ),
    "a cart with things": shop(
        "Gift basket Harbour",
        "<h1>Gift basket Harbour</h1><p>A basket with six kinds of fish in tins, bread of the quay's "
        "baker and a bottle of wine.</p>"
        "<p class=price>39 €</p><ul><li>Herring in mustard<li>Sprats, smoked<li>Mackerel in oil<li>Rye "
        "bread<li>White wine, .75 l</ul>",
    ),
    "thanks of a choir": news(
        "Thank you!",
        story(
            "Thank you!",
            "The choir thanks all who came to the quay on Sunday. Nine hundred "
            "listeners gave four thousand euros for the new roof of the boat house. The next concert is "
            "in May.",
        ),
    ),
}

_FERRY = (
    "<p>The ferry to the islands sails again from Saturday on, twice a day, with room for forty cars and two "
    "hundred guests.</p>"
)
_LOGIN = login("User Name", "Password", "Log in", "id=login-form")


def ferry(before: str = "", after: str = "", attributes: str = "") -> str:
    """A short article between other things."""
    title = "Ferry sails again"
    return bare(title, f"{before}<h1>{title}</h1>{_FERRY}{after}", attributes)


CONTENT |= {
    # A login beside the content.
    "a login after a short article": ferry(after=_LOGIN),
    "a module of a login": ferry(after=f"<div class=moduletable><h3>Login Form</h3>{_LOGIN}</div>"),
    "a login to comment": ferry(after=f"<div id=respond><h3>Log in to comment</h3>{_LOGIN}</div>"),
    "a hidden login": ferry(after=f"<div class=modal style='display:none'>{_LOGIN}</div>"),
    "a login beside a poem": news(
        "Evening",
        "<h1>Evening</h1><p>The lamps go out along the quay<br>and no one walks the stair<br>the tide has "
        f"carried off the day<br>and left the salted air</p><aside class=login>{_LOGIN}</aside>",
    ),
    "a login beside a recipe": bare(
        "Fish soup",
        "<h1>Fish soup</h1><ul><li>1 kg fish<li>2 onions</ul><ol><li>Cut the onions.<li>Boil all for an "
        f"hour.</ol><aside class=login>{_LOGIN}</aside>",
    ),
    "a login beside an event": shop(
        "Boat market",
        "<h1>Boat market</h1><p>Saturday 4 May, 10 to 16. Pier four. Free entry.</p>"
        f"<div><h3>Sign in to buy</h3>{_LOGIN}</div>",
    ),
    **{
        f"a login beside news, {language}": news(
            "Ropes", f"<p>{SENTENCES[language] * 2}</p><aside class=login>{_LOGIN}</aside>"
        )
        for language in ("ru", "hi", "zh")
    },
    "a login in the footer of one sentence": bare(
        "Harbour news",
        f"<article><h1>The old quay</h1><p>{SENTENCES['hi']}</p></article><footer>{_LOGIN}</footer>",
    ),
    # Names alone.
    "an element named for a paywall": bare("Ferry", f"<div class=no-paywall><h1>Ferry</h1>{_FERRY}</div>"),
    "an element named for maintenance": news("Ferry", f"<div class=maintenance><h1>Ferry</h1>{_FERRY}</div>"),
    "a guide to captchas": shop("Ferry", f"<div class='content captcha-guide'><h1>Ferry</h1>{_FERRY}</div>"),
    "a body of who is logged in": ferry(attributes="class='page login-logged-in'"),
    "a body named for errors": ferry(attributes="class=error-page"),
    # Headings of other things.
    "a hidden missing page": ferry(before="<div style='display:none'><h2>Page not found</h2></div>"),
    "a last heading of a refusal": ferry(after="<h2>Access denied</h2>"),
    # Ordinary words.
    **{
        f"titled {title}": bare(title, f"<h1>{title}</h1>{_FERRY}")
        for title in ("Fiat 500", "Highway 404", "Panier", "Forbidden", "Merci", "Are you a robot?")
    },
    **{
        f"a story titled {title}": news(title, story(title, _FERRY))
        for title in ("Access denied", "Page not found", "Fehler", "404 Not Found")
    },
    "a van without a sentence": bare("Fiat 500", "<h1>Fiat 500</h1><p>Two doors, red, 1969, Turin</p>"),
}
