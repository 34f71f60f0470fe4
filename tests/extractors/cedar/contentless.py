"""Pages that have nothing to read, as programs and sites make them; all are made up."""

from __future__ import annotations

from tests.extractors.cedar.sites import bare, login, news, shop

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
