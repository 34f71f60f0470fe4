"""Pages that have nothing to read, as programs and sites make them, and pages that look like them.

Each is a title, a main part and attributes of `body`; `shop` and `news` put it in a site. All are made up.
"""

from __future__ import annotations

from tests.extractors.cedar.pages import SENTENCES

_SHOP_LINKS = "".join(
    f"<li><a href=/c/{name.lower()}>{name}</a></li>"
    for name in ("Ropes", "Tents", "Boots", "Lamps", "Sale", "Brands")
)
_SHOP_FOOT = (
    "<footer class=site-footer><div class=col><h4>Newsletter</h4><p>Sign up and get 10% off your first "
    "order.</p>"
    "<form action=/news><input type=email name=mail><button>Subscribe</button></form></div><ul><li><a "
    "href=/help>Help"
    "</a><li><a href=/terms>Terms</a><li><a href=/privacy>Privacy</a></ul><p>© 2024 Ropes & Knots Ltd. "
    "All rights "
    "reserved. Prices include VAT, shipping is free over 50 €.</p></footer>"
)
_NEWS_LINKS = "".join(
    f"<li><a href=/{name.lower()}>{name}</a></li>"
    for name in ("Politics", "Economy", "Sport", "Culture", "Weather")
)
_TEASERS = "".join(
    f"<div class=teaser><a href=/story/{i}><img src=/i/{i}.jpg><h3>{title}</h3></a></div>"
    for i, title in enumerate(
        ("Harbour to get a second crane", "Mayor opens the new library", "Storm closes three schools")
    )
)
_NEWS_FOOT = (
    f"<aside class=most-read><h4>Most read</h4>{_TEASERS}</aside><footer><p>The Harbour Post is published "
    f"by Harbour "
    "Media. <a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a> <a href=/ads>Advertise</a></p></footer>"
    "<div class='cookie-banner' role=dialog><p>We use cookies to make our site better for "
    "you.</p><button>OK</button>"
    "</div>"
)


def bare(title: str, body: str, attributes: str = "", head: str = "") -> str:
    """A page of nothing else."""
    return (
        f"<!doctype html><html><head><title>{title}</title>{head}</head><body "
        f"{attributes}>{body}</body></html>"
    )


def shop(title: str, main: str, attributes: str = "", head: str = "") -> str:
    """A page of a shop."""
    return bare(
        title,
        "<header class=site-header><a class=logo href=/>Ropes & Knots</a><form class=search "
        "action=/s><input name=q>"
        f"<button>Search</button></form><a href=/cart>Cart (0)</a><nav><ul>{_SHOP_LINKS}</ul></nav></header>"
        f"<main id=content>{main}</main>{_SHOP_FOOT}",
        attributes,
        head,
    )


def news(title: str, main: str, attributes: str = "", head: str = "") -> str:
    """A page of a newspaper."""
    return bare(
        title,
        f"<div id=header><a href=/>The Harbour Post</a><ul class=menu>{_NEWS_LINKS}</ul><a "
        f"href=/login>Log in</a></div>"
        f"<div id=main>{main}</div>{_NEWS_FOOT}",
        attributes,
        head,
    )


def login(user: str, password: str, button: str, attributes: str = "") -> str:
    """The form of a login."""
    return (
        f"<form method=post {attributes}><p><label for=u>{user}</label><input id=u name=user "
        f"type=text></p><p><label for=p>"
        f"{password}</label><input id=p name=pass type=password></p><p><input type=checkbox name=stay></p>"
        f"<button type=submit>{button}</button></form>"
    )


EMPTY = {
    # Logins and accounts.
    "a blog program's login": bare(
        "Log In ‹ Ropes — WordPress",
        "<div id=login><h1><a href=https://wordpress.org>Powered by WordPress</a></h1>"
        + login("Username or Email Address", "Password", "Log In", "name=loginform id=loginform")
        + "<p id=nav><a href=/lost>Lost your password?</a></p><p id=backtoblog><a href=/>← Go to "
        "Ropes</a></p></div>",
        "class='login no-js login-action-login wp-core-ui locale-en-us'",
        "<meta name=robots content='max-image-preview:large, noindex, noarchive'>",
    ),
    "a shop program's login in German": shop(
        "Kundenlogin",
        "<div class=page-title><h1>Anmelden oder Benutzerkonto anlegen</h1></div><div class=col2-set><div "
        "class=col-1>"
        "<h2>Neue Kunden</h2><p>Durch Ihre Anmeldung in unserem Shop sind Sie in der Lage schneller durch "
        "den "
        "Bestellvorgang geführt zu werden, mehrere Versandadressen anzulegen, Ihre Bestellungen zu "
        "verfolgen und vieles "
        "mehr.</p></div><div class=col-2><h2>Registrierte Kunden</h2><p>Wenn Sie bei uns ein "
        "Benutzerkonto besitzen, "
        "melden Sie sich bitte an.</p>"
        + login("E-Mail", "Passwort", "Anmelden", "id=login-form")
        + "</div></div>",
        "class='customer-account-login'",
    ),
    "a login and what an account is good for, in French": shop(
        "Identifiez-vous - Cordes & Nœuds",
        "<h1>Connexion à votre compte</h1><div class=row><div>"
        + login("Adresse e-mail", "Mot de passe", "Se connecter")
        + "<a href=/mdp>Mot de passe oublié ?</a></div><div><h2>Pas encore client ?</h2><p>Créez un "
        "compte pour suivre "
        "vos commandes et passer plus vite à la caisse.</p><a class=btn href=/inscription>Créer un "
        "compte</a></div></div>",
        "id=authentication",
    ),
    "a login of two steps": bare(
        "Iniciar sesión - Banco del Puerto",
        "<main><img alt='Banco del Puerto' src=l.png><h1>Iniciar sesión</h1><form "
        "action=/paso2><label>Correo electrónico "
        "o usuario<input type=email name=u></label><button>Siguiente</button></form><p>¿No tienes una "
        "cuenta? "
        "<a href=/alta>Crear una</a></p></main>",
    ),
    "a login with a notice": bare(
        "Intranet",
        "<table class=login-box><tr><td><h2>Вход в систему</h2><p>Доступ разрешён только сотрудникам "
        "порта. Все действия "
        "записываются. Если вы забыли пароль, обратитесь в отдел поддержки по телефону "
        "12-34.</p></td></tr><tr><td>"
        + login("Логин", "Пароль", "Войти")
        + "</td></tr></table><p>© Порт, 2019</p>",
    ),
    "a login and a register form side by side": shop(
        "My account – Ropes & Knots",
        "<article class=page><h1 class=entry-title>My account</h1><div class=woocommerce><div "
        "class=u-columns><div><h2>"
        "Login</h2>"
        + login("Username or email address", "Password", "Log in", "class='woocommerce-form-login'")
        + "</div>"
        "<div><h2>Register</h2><form class=woocommerce-form-register><label>Email address<input "
        "type=email></label><p>A "
        "link to set a new password will be sent to your email address.</p><p>Your personal data will be "
        "used to support "
        "your experience throughout this website, to manage access to your account, and for other "
        "purposes described in "
        "our <a href=/privacy>privacy "
        "policy</a>.</p><button>Register</button></form></div></div></div></article>",
        "class='page woocommerce-account woocommerce-page'",
    ),
    "a login in Japanese": bare(
        "ログイン｜港の図書館",
        "<div id=wrap><h1>ログイン</h1><p>利用者番号とパスワードを入力してください。</p>"
        + login("利用者番号", "パスワード", "ログイン")
        + "<p><a href=/forgot>パスワードを忘れた方はこちら</a></p></div>",
    ),
    "a forum's login": news(
        "Harbour Forum - User Control Panel - Login",
        "<form action='./ucp.php?mode=login' method=post id=login><div class=panel><h2 "
        "class=login-title>Login</h2><dl><dt>"
        "Username:</dt><dd><input name=username></dd></dl><dl><dt>Password:</dt><dd><input type=password "
        "name=password>"
        "</dd></dl></div><div class=panel><h3>Register</h3><p>In order to login you must be registered. "
        "Registering takes "
        "only a few moments but gives you increased capabilities. The board administrator may also grant "
        "additional "
        "permissions to registered users. Before you register please ensure you are familiar with our "
        "terms of use and "
        "related policies.</p><p><a href=/terms>Terms of use</a> | <a href=/privacy>Privacy "
        "policy</a></p></div></form>",
        "id=phpbb class='nojs notouch section-ucp ltr'",
    ),
    "an account's closed door": shop(
        "Meine Bestellungen",
        "<h1>Meine Bestellungen</h1><p class=alert>Bitte melden Sie sich an, um diese Seite zu sehen.</p>"
        + login("E-Mail-Adresse", "Passwort", "Anmelden"),
    ),
    "a paper's wall": news(
        "Subscribe to continue reading",
        "<div class='paywall modal'><h2>Subscribe to continue reading</h2><p>Already a subscriber? <a "
        "href=/login>Log in"
        "</a></p><a class=btn href=/offer>See offers</a></div>",
    ),
    "logged out": shop(
        "Abgemeldet", "<h1>Sie wurden abgemeldet</h1><p>Bis bald! <a href=/>Zur Startseite</a></p>"
    ),
    # What is missing.
    "a blog's missing page": news(
        "Page not found – The Harbour Post",
        "<section class='error-404 not-found'><h1 class=page-title>Oops! That page can’t be found.</h1><div "
        "class=page-content><p>It looks like nothing was found at this location. Maybe try one of the "
        "links below or a "
        "search?</p><form role=search><input type=search><button>Search</button></form><div "
        "class=widget><h2>Most Used "
        "Categories</h2><ul><li><a href=/c/1>Harbour</a> (24)<li><a href=/c/2>Council</a> "
        "(12)</ul></div><div "
        "class=widget><h2>Archives</h2><p>Try looking in the monthly archives. 🙂</p></div></div></section>",
        "class='error404 wp-embed-responsive'",
    ),
    "a missing page with stories": news(
        "Seite nicht gefunden | Hafenpost",
        "<h1>Seite nicht gefunden</h1><p>Leider gibt es diese Seite nicht (mehr).</p><h2>Das könnte Sie "
        "interessieren</h2>"
        + "".join(
            f"<div class=teaser><a href=/{i}><h3>{title}</h3></a><p>{text}</p></div>"
            for i, (title, text) in enumerate(
                (
                    (
                        "Zweiter Kran für den Hafen",
                        "Der Stadtrat hat am Montag den Kauf eines zweiten Krans beschlossen.",
                    ),
                    ("Neue Bücherei offen", "Die Bürgermeisterin hat die neue Bücherei am Markt eröffnet."),
                    (
                        "Sturm schließt Schulen",
                        "Drei Schulen bleiben am Dienstag wegen des Sturms geschlossen.",
                    ),
                )
            )
        ),
        "class=error404",
    ),
    "a shop's missing page": shop(
        "404 Not Found",
        "<div class=template-404><h1>404 Page Not Found</h1><p>The page you requested does not exist. "
        "Click <a href=/>here"
        "</a> to continue shopping.</p></div>",
        "id=404-not-found class='template-404'",
    ),
    "a missing product": shop(
        "Produit introuvable",
        "<h1>Ce produit n’est plus disponible</h1><p>Désolé, le produit que vous cherchez n’est plus en "
        "vente.</p><p><a "
        "href=/>Retour à l’accueil</a></p>",
    ),
    "a missing advert in Spanish": news(
        "Anuncio no encontrado",
        "<div class=aviso><h1>El anuncio que buscas ya no está disponible</h1><p>Puede que se haya "
        "vendido o que el "
        "anunciante lo haya retirado.</p><a class=btn href=/>Volver al inicio</a></div>",
    ),
    "a missing video": bare(
        "Video unavailable", "<div id=player><p>This video is no longer available.</p></div>"
    ),
    "a missing user in Dutch": news(
        "Fout",
        "<h1>Gebruiker niet gevonden</h1><p>De gebruiker die je zoekt bestaat niet of is verwijderd.</p>",
    ),
    "a number alone": bare("404", "<h1>404</h1><p>Ingenting här.</p><a href=/>Hem</a>"),
    "a forum's message": news(
        "Information",
        "<div class=panel id=message><div class=inner><h2 class=message-title>Information</h2><p>The "
        "requested topic does "
        "not exist.</p></div></div>",
        "id=phpbb",
    ),
    "a missing page in Polish": shop(
        "Błąd 404 - nie znaleziono strony",
        "<h1>Ups! Nie znaleźliśmy tej strony</h1><p>Sprawdź adres albo wróć na <a href=/>stronę "
        "główną</a>.</p>",
    ),
    "a missing page in Arabic": news(
        "خطأ 404", "<h1>عذراً، الصفحة غير موجودة</h1><p>ربما تم نقل الصفحة أو حذفها.</p>"
    ),
    "a missing page in Chinese": bare(
        "页面不存在",
        "<div class=box><h3>很抱歉，您要访问的页面不存在！</h3>"
        "<p>3 秒后自动跳转到<a href=/>首页</a></p></div>",
    ),
    # Errors.
    "a server's error": bare(
        "Runtime Error",
        "<span><h1>Server Error in '/' Application.<hr></h1><h2><i>Runtime "
        "Error</i></h2></span><b>Description: </b>An "
        "application error occurred on the server. The current custom error settings for this application "
        "prevent the "
        "details of the application error from being viewed remotely (for security reasons).",
    ),
    "a proxy's error": bare(
        "ropes.example | 522: Connection timed out",
        "<div id=cf-wrapper><div id=cf-error-details><header><h1><span>Connection timed out</span> "
        "<span>Error code 522"
        "</span></h1></header><div><h2>What happened?</h2><p>The initial connection between the network "
        "and the origin "
        "web server timed out. As a result, the web page can not be displayed.</p><h2>What can I "
        "do?</h2><p>Please try "
        "again in a few minutes.</p></div></div></div>",
    ),
    "a forbidden page": bare(
        "403 Forbidden",
        "<h1>Forbidden</h1><p>You don't have permission to access /private/ on this "
        "server.</p><hr><address>Apache/2.4.41 "
        "(Ubuntu) Server at ropes.example Port 443</address>",
    ),
    "an error in French": shop(
        "Erreur", "<h1>Une erreur est survenue</h1><p>Veuillez réessayer plus tard.</p>"
    ),
    "an error of a database": bare(
        "Database Error", "<h1>Error establishing a database connection</h1>", "id=error-page"
    ),
    "an error of an interface": bare(
        "", '<pre>{"status":404,"error":"Not Found","message":"No handler found for GET /v1/ropes"}</pre>'
    ),
    "a page out of service": bare(
        "Wartungsarbeiten",
        "<div class=maintenance><h1>Wir sind gleich zurück</h1><p>Unser Shop wird gerade gewartet. Bitte "
        "versuchen Sie es "
        "später noch einmal.</p></div>",
    ),
    "a site under construction": bare(
        "Coming soon",
        "<div class=wrap><h1>Coming soon</h1><p>We are working on something new. Leave your address and "
        "we will tell you."
        "</p><form><input type=email><button>Notify me</button></form></div>",
    ),
    "a parked name": bare(
        "ropes.example",
        "<div id=sale><a href=/buy>The domain ropes.example may be for sale. Click here to "
        "inquire.</a></div><ul><li><a "
        "href=/1>Climbing Ropes</a><li><a href=/2>Boat Ropes</a><li><a href=/3>Rope Access "
        "Jobs</a></ul><p>Related "
        "Searches</p><p>Copyright ropes.example. The Sponsored Listings displayed above are served "
        "automatically by a "
        "third party.</p>",
    ),
    "an account suspended": bare(
        "Account Suspended",
        "<div><h1>This Account has been suspended.</h1><p>Contact your hosting provider for more "
        "information.</p></div>",
    ),
    "an error of a framework": bare(
        "We're sorry, but something went wrong (500)",
        "<div class=dialog><h1>We're sorry, but something went wrong.</h1><p>If you are the application "
        "owner "
        "check the logs for more information.</p></div>",
    ),
    "an error of a servlet": bare(
        "HTTP Status 500 – Internal Server Error",
        "<h1>HTTP Status 500 – Internal Server Error</h1><p><b>Type</b> Exception Report</p><p><b>Description"
        "</b> The server encountered an unexpected condition that prevented it from fulfilling the "
        "request.</p>",
    ),
    "a vacancy that is closed": news(
        "Stellenangebot",
        "<h1>Diese Stellenanzeige ist nicht mehr online</h1><p>Schauen Sie sich ähnliche Angebote an.</p>",
    ),
    "a deleted article in Polish": news(
        "Artykuł niedostępny",
        "<h1>Artykuł jest niedostępny</h1><p>Być może został usunięty przez autora.</p>",
    ),
    # Doors.
    "a wall and what it says of itself": bare(
        "Attention Required! | Wall",
        "<h1>Sorry, you have been blocked</h1><h2>You are unable to access ropes.example</h2><h2>Why have "
        "I been "
        "blocked?</h2><p>This website is using a security service to protect itself from online attacks. The "
        "action you just performed triggered the security solution. There are several actions that could "
        "trigger "
        "this block, including submitting a certain word or phrase, a command or malformed "
        "data.</p><h2>What can "
        "I do to resolve this?</h2><p>You can email the site owner to let them know you were blocked. Please "
        "include what you were doing when this page came up and the number at the bottom of this page.</p>",
    ),
    "a country's door": bare(
        "Unavailable due to legal reasons",
        "<h1>451: Unavailable due to legal reasons</h1><p>We recognize you are attempting to access this "
        "website "
        "from a country belonging to the European Economic Area, which enforces the General Data Protection "
        "Regulation, and therefore access cannot be granted at this time.</p>",
    ),
    "a check for robots": bare(
        "Robot or human?",
        "<div><h1>Robot or human?</h1><p>Activate and hold the button to confirm that you’re "
        "human.</p></div>",
    ),
    "a blocked request": bare(
        "Access Denied",
        "<h1>Access Denied</h1>You don't have permission to access http://ropes.example/boots on this "
        "server.<p>"
        "Reference #18.2d351ab8.1557333295.a4e16ab</p>",
    ),
    "a blocked request in Portuguese": bare(
        "Acesso negado",
        "<h1>Acesso negado</h1><p>O seu pedido foi bloqueado por motivos de segurança. Se acha que é um "
        "engano, escreva ao "
        "administrador do site com o número abaixo.</p><p>ID 8837263626</p>",
    ),
    "a check of a browser": bare(
        "DDoS protection by Wall",
        "<h1>Checking your browser before accessing ropes.example.</h1><p>This process is automatic. Your "
        "browser will "
        "redirect to your requested content shortly.</p><p>Please allow up to 5 seconds…</p>",
        "",
        "<meta http-equiv=refresh content=8>",
    ),
    "an age gate": shop(
        "Old Harbour Rum",
        "<div class='age-gate'><h2>Are you of legal drinking "
        "age?</h2><button>Yes</button><button>No</button><p>By "
        "entering this site you accept our terms and our use of cookies.</p></div>",
    ),
    "an age gate in German": bare(
        "Altersprüfung",
        "<div class=avs><h1>Sind Sie mindestens 18 Jahre alt?</h1><p>Für den Besuch dieser Seite müssen "
        "Sie volljährig "
        "sein.</p><a href=/in>Ja, ich bin volljährig</a> <a href=/out>Nein</a></div>",
    ),
    "consent before a page, in Italian": bare(
        "Prima di continuare",
        "<div class='cmp-wall' id=consent-page><h1>La tua privacy è importante</h1><p>Noi e i nostri 842 "
        "partner "
        "archiviamo e accediamo a informazioni su un dispositivo, come gli identificatori univoci nei "
        "cookie, per "
        "trattare dati personali. Puoi accettare o gestire le tue scelte facendo clic qui "
        "sotto.</p><button>Accetta tutto"
        "</button><button>Rifiuta</button></div>",
    ),
    "a notice on leaving, in French": bare(
        "Vous quittez notre site",
        "<main><p>Vous allez être dirigé vers un site dont nous ne sommes pas responsables.</p><a "
        "href=https://other.example>"
        "Continuer</a></main>",
    ),
    "a page that moved": bare(
        "Document Moved", "<h1>Object Moved</h1>This document may be found <a href=/new>here</a>"
    ),
    "an old site's notice": bare(
        "Ropes",
        "<p>Our site has moved. You will be taken to <a href=https://new.example>new.example</a> in five "
        "seconds.</p>",
        "",
        "<meta http-equiv=refresh content='5;url=https://new.example'>",
    ),
    "a page for scripts": bare(
        "Ropes App",
        "<div id=app><strong>We're sorry but ropes doesn't work properly without JavaScript enabled. "
        "Please enable it to "
        "continue.</strong></div><script src=/js/app.js></script>",
    ),
    "a page for scripts, in Russian": bare(
        "Верёвки",
        "<div id=root></div><p class=msg>Для работы сайта включите JavaScript в настройках "
        "браузера.</p><script "
        "src=/main.js></script>",
    ),
    "an old browser": bare(
        "Unsupported browser",
        "<div class=unsupported><h1>Your browser is not supported</h1><p>Please use a recent version of "
        "Firefox, Chrome, "
        "Edge or Safari.</p></div>",
    ),
    "a choice of countries": bare(
        "Choose your country",
        "<h1>Choose your country</h1><ul>"
        + "".join(
            f"<li><a href=/{name[:2]}>{name}</a></li>"
            for name in ("Belgium", "Canada", "Denmark", "France", "Japan")
        )
        + "</ul>",
    ),
    "a choice of languages": bare(
        "Hafen Hotel",
        "<div class=splash><a href=/de>Deutsch</a> <a href=/en>English</a> <a href=/fr>Français</a> <a "
        "href=/it>Italiano"
        "</a></div>",
    ),
    # Carts and searches.
    "an empty cart": shop(
        "Shopping Cart",
        "<div class=cart-empty><h1>Shopping Cart is Empty</h1><p>You have no items in your shopping "
        "cart.</p><p>Click <a "
        "href=/>here</a> to continue shopping.</p></div>",
        "class='checkout-cart-index'",
    ),
    "an empty cart in German": shop(
        "Warenkorb",
        "<h1>Warenkorb</h1><p>Ihr Warenkorb ist leer.</p><p>Versandkostenfrei ab 50 €</p><a class=btn "
        "href=/>Weiter einkaufen</a>",
    ),
    "a checkout in Spanish": shop(
        "Finalizar compra",
        "<h1>Finalizar compra</h1><form><h3>Datos de facturación</h3>"
        + "".join(
            f"<p><label>{name}<input name=f></label></p>"
            for name in ("Nombre", "Apellidos", "Dirección", "Código postal")
        )
        + "<button>Realizar el pedido</button></form>",
        "class='page woocommerce-checkout'",
    ),
    "a search without results": shop(
        "Search results for: 'xyzzy'",
        "<h1>Search results for 'xyzzy'</h1><p class='note-msg'>Your search returns no results.</p>",
        "class='catalogsearch-result-index'",
    ),
    "a search without results in Portuguese": news(
        "Resultados da pesquisa por “xyzzy”",
        "<h1>Nada encontrado</h1><p>Desculpe, mas nada corresponde aos seus termos de busca. Tente outra "
        "vez com outras "
        "palavras.</p><form role=search><input type=search></form>",
        "class='search search-no-results'",
    ),
    "thanks": shop(
        "Thank you!", "<h1>Thank you!</h1><p>Your message has been sent.</p><a href=/>Back to the shop</a>"
    ),
    "unsubscribed": bare(
        "Unsubscribe",
        "<div><h2>You have been unsubscribed</h2><p>You will not get mail from us any more.</p></div>",
    ),
    "hidden dialogs of an application": news(
        "The Harbour Post: Today",
        "<div id=app></div><div class=modal style='display:none'><h3>Delete your account</h3><p>If you "
        "delete your account, "
        "your comments and messages will be removed from public view. This cannot be undone.</p><p>If you "
        "have "
        "questions about deleting your account, please write to our staff.</p></div><div class='dialog' "
        "hidden><p>Your "
        "password has been changed. Please log in again with the new one.</p></div>",
    ),
}

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
