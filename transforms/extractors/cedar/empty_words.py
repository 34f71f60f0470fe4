"""What pages without content say in titles, messages and names, in the languages of most of the web.

A phrase of `KIND_OF_PHRASE` counts only if a title says nothing else, besides the name of its site: "Access
denied" is such a title, "Access denied: how the harbour lost its archive" is not. A sentence may also say
that the page is missing (`find_missing`).
"""

import re
from http import HTTPStatus
from typing import Literal

from cedar.transforms.extractors.segments._headline import squashed

MISSING, ERROR, NUMBER, DOOR, LOGIN, CART, CHOICE, SENT, SCRIPTS = (
    "missing page",
    "error",
    "number of an error",
    "check before the page",
    "login",
    "cart",
    "choice of a country or a language",
    "confirmation",
    "browser that cannot show the page",
)

_PHRASES = {
    MISSING: """
        not found|page not found|file not found|site not found|page missing|page unavailable
        |content unavailable|video unavailable|this page is unavailable|no longer available|nothing found
        |no results|no results found|nothing was found|no posts found|product not found|nicht gefunden
        |seite fehlt|keine ergebnisse|keine treffer|nichts gefunden|keine ergebnisse gefunden|introuvable
        |non trouvé|aucun résultat|rien trouvé|no encontrado|no encontrada|sin resultados
        |no se encontraron resultados|não encontrado|não encontrada|nada encontrado|nenhum resultado
        |nenhum resultado encontrado|non trovato|non trovata|nessun risultato|niet gevonden|geen resultaten
        |hittades inte|inga resultat|inga träffar|ikke fundet|ikke funnet|ingen resultater|ei löytynyt
        |ei tuloksia|nie znaleziono|brak wyników|nenalezeno|žádné výsledky|nem található|nincs találat|negăsit
        |bulunamadı|sonuç bulunamadı|не найдено|ничего не найдено|нет результатов|не знайдено
        |нічого не знайдено|не е намерено|δεν βρέθηκε|غير موجود|لا توجد نتائج|یافت نشد|לא נמצא|אין תוצאות
        |नहीं मिला|ไม่พบ|không tìm thấy|không có kết quả|tidak ditemukan|見つかりません|未找到|没有找到|找不到
        |無法找到|찾을 수 없음|검색 결과가 없습니다
        """,
    ERROR: """
        error|error page|error report|an error occurred|an error has occurred|server error
        |internal server error|bad gateway|service unavailable|gateway timeout|bad request|forbidden
        |unauthorized|method not allowed|too many requests|runtime error|application error|database error
        |error establishing a database connection|fatal error|something went wrong|oops|whoops|invalid request
        |invalid url|page error|connection timed out|request timeout|service temporarily unavailable
        |temporarily unavailable|object moved|document moved|moved permanently|page moved|account suspended
        |this account has been suspended|website suspended|this site has been suspended|suspended domain
        |domain for sale|this domain is for sale|domain parked|parked domain|domain expired|website expired
        |site suspended|maintenance mode|site maintenance|under maintenance|scheduled maintenance
        |we are under maintenance|down for maintenance|be right back|we ll be right back|well be back soon
        |under construction|site under construction|website under construction|coming soon|website coming soon
        |launching soon|opening soon|default web page|default web site page|permission error|page expired
        |the request could not be satisfied|vbulletin message|unavailable for legal reasons
        |unavailable due to legal reasons|apache2 ubuntu default page it works|it works|test page
        |placeholder page|fehler|fehlermeldung|serverfehler|ein fehler ist aufgetreten|wartungsarbeiten
        |wartungsmodus|im aufbau|seite im aufbau|demnächst|zugriff verweigert|verboten|dienst nicht verfügbar
        |erreur|une erreur est survenue|une erreur s est produite|erreur serveur|site en maintenance
        |en maintenance|en construction|site en construction|bientôt disponible|service indisponible
        |ha ocurrido un error|se ha producido un error|error del servidor|en mantenimiento|en construcción
        |sitio en construcción|próximamente|servicio no disponible|erro|ocorreu um erro|erro do servidor
        |em manutenção|em construção|site em construção|em breve|errore|si è verificato un errore
        |in manutenzione|in costruzione|sito in costruzione|fout|er is een fout opgetreden|foutmelding
        |in onderhoud|in aanbouw|fel|ett fel har uppstått|ett fel inträffade|under uppbyggnad|fejl
        |der opstod en fejl|feil|det oppstod en feil|en feil oppstod|virhe|tapahtui virhe|huoltokatko|błąd
        |wystąpił błąd|błąd serwera|przerwa techniczna|strona w budowie|chyba|došlo k chybě
        |stránky ve výstavbě|hiba|hiba történt|eroare|a apărut o eroare|în construcție|hata|bir hata oluştu
        |bakım çalışması|yapım aşamasında|ошибка|произошла ошибка|ошибка сервера|технические работы
        |сайт на реконструкции|сайт в разработке|помилка|сталася помилка|технічні роботи|грешка
        |възникна грешка|σφάλμα|παρουσιάστηκε σφάλμα|υπό κατασκευή|خطأ|حدث خطأ|قيد الإنشاء|الموقع تحت الصيانة
        |خطا|שגיאה|אירעה שגיאה|האתר בבנייה|त्रुटि|ข้อผิดพลาด|เกิดข้อผิดพลาด|lỗi|đã xảy ra lỗi|bảo trì
        |kesalahan|terjadi kesalahan|dalam perbaikan|エラー|エラーが発生しました|メンテナンス中|準備中|工事中
        |错误|出错了|系统错误|网站维护中|建设中|錯誤|發生錯誤|오류|오류가 발생했습니다|점검 중|공사 중
        """,
    DOOR: """
        access denied|access to this page has been denied|access restricted|restricted access|request blocked
        |the request is blocked|you have been blocked|attention required|just a moment|one moment please
        |one more step|robot check|robot or human|are you a robot|are you human|are you a human
        |human verification|verify you are human|please verify you are a human|security check
        |security checkpoint|ddos protection|pardon our interruption|unusual traffic|bot verification
        |verification required|redirect|external link|before you continue|cookie settings|cookie consent
        |we value your privacy|your privacy choices|age verification|are you over 18|are you 18 or older
        |are you over 21|are you 21 or older|are you of legal drinking age|please verify your age|adults only
        |adult content|members only|subscribe to continue|subscribe to continue reading|subscribe to read
        |this content is for subscribers only|zugriff verweigert|zugang verweigert|weiterleitung
        |sie werden weitergeleitet|sicherheitsprüfung|altersprüfung|altersverifikation|alterskontrolle
        |sind sie über 18|bevor sie fortfahren|einen moment bitte|externer link|accès refusé|accès interdit
        |redirection|redirection en cours|vérification de l âge|avez vous plus de 18 ans|un instant
        |avant de continuer|acceso denegado|acceso restringido|redireccionando|redirigiendo
        |verificación de edad|eres mayor de edad|antes de continuar|un momento|acesso negado|acesso restrito
        |redirecionando|verificação de idade|você é maior de idade|accesso negato|reindirizzamento
        |verifica dell età|prima di continuare|un attimo|toegang geweigerd|doorverwijzen|voordat je verdergaat
        |åtkomst nekad|omdirigering|adgang nægtet|ingen adgang|ingen tilgang|pääsy estetty|odmowa dostępu
        |brak dostępu|przekierowanie|zanim przejdziesz dalej|přístup odepřen|přesměrování
        |hozzáférés megtagadva|átirányítás|acces interzis|redirecționare|erişim engellendi|erişim reddedildi
        |yönlendiriliyor|доступ запрещен|доступ запрещён|доступ ограничен|перенаправление|проверка браузера
        |вам есть 18 лет|доступ заборонено|перенаправлення|достъпът е отказан|δεν επιτρέπεται η πρόσβαση
        |تم رفض الوصول|ممنوع الوصول|جاري التحويل|הגישה נדחתה|ไม่ได้รับอนุญาต|truy cập bị từ chối|akses ditolak
        |アクセスが拒否されました|アクセス拒否|リダイレクト|年齢確認|访问被拒绝|拒绝访问|正在跳转|页面跳转
        |安全验证|人机验证|請稍候|접근이 거부되었습니다|접근 거부|잠시만 기다려 주세요
        """,
    LOGIN: """
        logged out|you have been logged out|you are logged out|signed out|sign out|logout|log out
        |session expired|your session has expired|session timeout|please log in|please sign in|login required
        |authentication required|abgemeldet|sie wurden abgemeldet|sitzung abgelaufen|bitte anmelden
        |déconnexion|vous êtes déconnecté|session expirée|sesión cerrada|sesión caducada|cerrar sesión
        |sessão encerrada|sessão expirada|disconnesso|sessione scaduta|uitgelogd|sessie verlopen|utloggad
        |logget ud|logget ut|wylogowano|sesja wygasła|odhlášeno|вы вышли|сессия истекла|выход|ログアウト
        |已退出登录|로그아웃
        """,
    CART: """
        cart|your cart|my cart|shopping cart|your shopping cart|shopping cart is empty|cart is empty
        |your cart is empty|your cart is currently empty|your shopping cart is empty|your bag|shopping bag
        |your bag is empty|shopping basket|your basket|your basket is empty|checkout|secure checkout|wishlist
        |my wishlist|your wishlist is empty|compare products|order confirmation|warenkorb|ihr warenkorb
        |mein warenkorb|ihr warenkorb ist leer|dein warenkorb ist leer|kasse|merkzettel|wunschliste|panier
        |mon panier|votre panier|votre panier est vide|liste d envies|carrito|mi carrito|carrito de compras
        |carrito de la compra|tu carrito está vacío|su carrito está vacío|finalizar compra|carrinho
        |carrinho de compras|meu carrinho|seu carrinho está vazio|finalizar pedido|carrello|il tuo carrello
        |il tuo carrello è vuoto|winkelwagen|winkelmandje|je winkelwagen is leer|afrekenen|varukorg|kundvagn
        |din varukorg är tom|indkøbskurv|kurv|handlekurv|handlevogn|ostoskori|koszyk|twój koszyk
        |twój koszyk jest pusty|košík|nákupní košík|váš košík je prázdný|kosár|coș de cumpărături|coșul meu
        |sepet|sepetim|alışveriş sepeti|sepetiniz boş|корзина|ваша корзина пуста|корзина пуста
        |оформление заказа|кошик|ваш кошик порожній|количка|καλάθι|καλάθι αγορών|سلة التسوق|سلة المشتريات
        |סל קניות|עגלת קניות|ตะกร้าสินค้า|giỏ hàng|keranjang belanja|ショッピングカート|カート|お買い物かご
        |购物车|購物車|장바구니
        """,
    CHOICE: """
        choose your country|select your country|choose your region|select your region|choose your location
        |select your location|choose your language|select your language|select language|choose language
        |select a country|choose a country|country selector|country selection|select your country region
        |choose your store|select your store|choose a store|wybierz sklep|filiale wählen|länderauswahl
        |sprachauswahl|wählen sie ihr land|sprache wählen|choisissez votre pays|choisissez votre langue
        |sélectionnez votre pays|choix de la langue|elige tu país|selecciona tu país|seleccione su país
        |elige tu idioma|seleccione idioma|escolha seu país|escolha o idioma|selecione seu país
        |scegli il tuo paese|scegli la lingua|seleziona il tuo paese|kies je land|kies uw land|kies je taal
        |välj land|välj språk|vælg land|vælg sprog|velg land|velg språk|valitse maa|valitse kieli|wybierz kraj
        |wybierz język|vyberte zemi|vyberte jazyk|válasszon országot|alegeți țara|ülkenizi seçin|dil seçin
        |выберите страну|выберите язык|выберите город|оберіть країну|оберіть мову|επιλέξτε χώρα|اختر بلدك
        |اختر اللغة|בחר שפה|言語を選択|国を選択|选择语言|选择国家|選擇語言|언어 선택|국가 선택
        """,
    SENT: """
        thank you|thanks|thank you for subscribing|thank you for your message|message sent
        |your message has been sent|unsubscribe|unsubscribed|you have been unsubscribed|email preferences
        |confirm your subscription|subscription confirmed|vielen dank|danke|nachricht gesendet|abgemeldet
        |newsletter abmelden|abbestellen|merci|message envoyé|désinscription|désabonnement|gracias
        |mensaje enviado|darse de baja|obrigado|mensagem enviada|cancelar inscrição|grazie|messaggio inviato
        |cancellati|bedankt|bericht verzonden|uitschrijven|tack|tak|takk|kiitos|dziękujemy|wypisz się|děkujeme
        |köszönjük|mulțumim|teşekkürler|спасибо|сообщение отправлено|отписаться|дякуємо|ευχαριστούμε|شكرا|תודה
        |ありがとうございました|送信完了|谢谢|感谢您|감사합니다
        """,
    SCRIPTS: """
        unsupported browser|browser not supported|your browser is not supported|outdated browser
        |your browser is out of date|please update your browser|update your browser|upgrade your browser
        |javascript required|javascript is required
        |javascript is disabled|javascript disabled|please enable javascript
        |enable javascript|enable javascript and cookies to continue|please enable cookies|cookies required
        |cookies disabled|browser nicht unterstützt|veralteter browser|ihr browser wird nicht unterstützt
        |navigateur non supporté|navigateur non pris en charge|navegador no compatible|navegador não suportado
        |browser non supportato|browser wordt niet ondersteund|ваш браузер устарел|браузер не поддерживается
        |不支持的浏览器|浏览器版本过低|お使いのブラウザはサポートされていません|지원하지 않는 브라우저
        """,
}

KIND_OF_PHRASE = {
    squashed(phrase): kind
    for kind, phrases in _PHRASES.items()
    for phrase in phrases.replace("\n", " ").split("|")
}
"""The kind of page without content, by a phrase's letters and digits in small letters (`squashed`)."""

_WORD = re.compile(r"\w+")
_PAGE_WORDS = (
    "page pages url seite página pàgina pagina strana stránka stránku strona strony siden sidan sivu sivua "
    "sayfa oldal halaman trang"
)
_PAGES = frozenset(_PAGE_WORDS.split())
_PAGE = re.compile(r"σελίδα|страниц|сторінк|页|頁|ページ|페이지|صفح[ةه]|הדף|หน้า|पृष्ठ|पेज")
_THING_WORDS = (
    "file product article item listing ad job video post profile user topic content document account link "
    "datei produkt artikel anzeige benutzer beitrag stelle stellenanzeige angebot inhalt dokument produit "
    "annonce fichier utilisateur offre contenu producto artículo anuncio archivo vídeo video usuario oferta "
    "contenido produto artigo anúncio arquivo conteúdo prodotto articolo annuncio contenuto utente bestand "
    "advertentie gebruiker vacature bericht inhoud annons annoncen produktet tuote tuotetta ilmoitus "
    "produktu ogłoszenie oferty artykuł użytkownik produktů inzerát termék hirdetés produsul anunțul ürün "
    "ilan товар объявление файл пользователь тема вакансия оголошення файлу"
)
_THINGS = frozenset(_THING_WORDS.split())
_THING = re.compile(
    r"商品|文章|主题|帖子|内容|ファイル|記事|상품|게시물|파일|المنتج|الإعلان|المحتوى|המוצר|המודעה"
)
_IS_MISSING = re.compile(
    r"\b(?:not found\b|(?:can ?not|can['’]t|could not|couldn['’]t) (?:be )?f(?:ou|i)nd\b"
    r"|(?:does not|no longer) exist|no longer available\b|nicht (?:mehr )?(?:gefunden|verfügbar)"
    r"|introuvable|non trouvée|no (?:se )?(?:ha sido )?(?:encontrad|existe)"
    r"|no (?:está )?disponible|ya no (?:está disponible|existe)|indisponível"
    r"|não (?:(?:foi )?(?:encontrad|existe)|(?:está mais )?disponível)"
    r"|non (?:è (?:più |stat[ao] )?)?(?:trovat|esist|disponibil)|niet (?:meer )?(?:gevonden|beschikbaar)"
    r"|bestaat niet|nie (?:została )?(?:znale[zź]|istniej)|ne(?:byla )?nalezena|neexistuje"
    r"|ikke (?:fun[dn]et|længere)|fin[dn]es ikke|hittades inte|finns inte|ei (?:ole enää|löy)"
    r"|bulunamad[ıi]|nem található|nu a fost găsit|tidak ditemukan|không tìm thấy"
    r"|(?:is|are|was|currently|ha(?:s|ve) been) (?:not available|unavailable|removed|deleted|expired|sold)\b"
    r"|(?:has|have) expired\b|has ended\b|was ended\b|nicht mehr (?:online|aktiv|aktuell|vorhanden)\b"
    r"|(?:wurde|ist) (?:bereits )?(?:gelöscht|entfernt|abgelaufen|verkauft)\b"
    r"|a (?:expiré|été supprimée?)\b|(?:ha|fue|ha sido) (?:caducado|eliminad[oa]|expirado)\b"
    r"|(?:foi (?:removid|exclu[ií]d|vendid|encerrad)[oa]|expirou|está indisponível)\b"
    r"|è (?:scadut|stat[oa] rimoss)|niet langer\b"
    r"|is (?:verlopen|verwijderd)\b|har (?:tagits bort|utgått)|inte hittas"
    r"|eller tagits bort|niedostępn|wygas|usunięt"
    r"|není (?:již )?(?:dostupn|k dispozici)|nem elérhető|kaldırıl|sona er)|n['’]t exist\b|existiert nicht"
    r"|n['’]existe p(?:as|lus)\b|n['’]est plus disponible|δεν βρέθηκε|не найден|не существует"
    r"|больше не доступ|не знайдено|не існує|不存在|找不到|未找到|見つかりません"
    r"|찾을 수 없|غير موجود|لم يتم العثور|یافت نشد"
    r"|לא נמצא|ไม่พบ|नहीं मिला|удален|удалён|недоступ|устарел|видален|已(?:被)?删除"
    r"|已下架|已过期|削除され|終了しました|삭제되|만료되"
)
"""Said of a page or a thing (`_PAGES`, `_THINGS`) that is gone."""

_NO_RESULTS = re.compile(
    r"\b(?:no (?:search )?results\b|no (?:\w+ ){1,2}(?:were |was )?found\b"
    r"|nothing (?:was |has been )?found\b|keine (?:such)?(?:ergebnisse|treffer)\b|aucun résultat"
    r"|sin resultados\b|ningún resultado|no se (?:han )?encontra(?:ron|do) resultados"
    r"|não (?:há|foram encontrados) resultados|nenhum resultado|nessun risultato"
    r"|geen resultaten\b|inga (?:träffar|resultat)|ingen (?:resultater|treff)|ei (?:haku)?tuloksia"
    r"|brak wyników|žádné výsledky|nincs találat|sonuç bulunamadı)|ничего не найдено|нічого не знайдено"
    r"|δεν βρέθηκαν αποτελέσματα|لا توجد نتائج|لم يتم العثور على نتائج|אין תוצאות|ไม่พบผลลัพธ์"
    r"|không có kết quả|没有找到|検索結果はありません"
)
"""Said of a search that found nothing."""

_MAX_MESSAGE_CHARS = 80  # a longer text that has words of a missing page says more
_MAX_SEARCH_WORDS = 12  # of a sentence on a search; a longer one may speak of research

_INTERJECTIONS = frozenset(
    ("oops", "ooops", "opps", "ups", "hoppla", "sorry", "whoops", "désolé", "ouch", "hmm")
)

_AT_DOOR = re.compile(
    r"leaving \w+$|checking (?:your browser|if the site)|verifying (?:that )?you are"
    r"|index of /|hier entsteht |server error in '|apache (?:http server|2) test page"
    r"|you(?: are|['’]re) (?:now |about to )?leav(?:e|ing)\b|sie verlassen\b|vous quittez\b"
    r"|redirecting(?! with\b)|you are (?:now )?being redirected\b|estás? saliendo de\b|você está saindo\b"
    r"|stai lasciando\b|u verlaat\b|вы покидаете\b"
)
"""The start of a title in place of the page: a link leads away, the browser is checked, a server speaks."""

_IS_LOGIN = re.compile(
    r"\b(?:log ?-?in|sign ?-?in|(?:my|your) account|anmelden|anmeldung|einloggen|kundenlogin|mein konto"
    r"|connexion|mon compte|se connecter|identifiez-vous|inici(?:ar|a) ses(?:ión|ió)|mi cuenta|iniciar sessão"
    r"|minha conta|accedi|il mio account|inloggen|aanmelden|mijn account|logga in|log ind|logg inn|kirjaudu"
    r"|zaloguj|logowanie|moje konto|přihlá\w+|prihlás\w+|bejelentkezés|autentificare|giriş yap|oturum aç"
    r"|contul meu|đăng nhập|masuk|вход|войти|увійти|two-step verification|your institution)\b|σύνδεση|είσοδος"
    r"|เข้าสู่ระบบ|авторизация|личный кабинет|ログイン|登录|登入|로그인|تسجيل الدخول|התחבר"
)
_REGRETS = re.compile(r"(?:we['’]re )?(?:sorry|oops|ooops|ups|whoops)\W+(?:but )?")

_STATUS_CODE = r"(?:30[1-378]|4(?:0[0-9]|1[09]|29|51)|50[0-4]|52[0-6])"
_STATUS = re.compile(
    r"\W*(?:(?:https?|status|error|code|err|fehler|erreur|erro|errore|fout|fel|błąd|ошибка|خطأ|错误|エラー)\W+)*"
    + _STATUS_CODE
    + r"(?:\W+error)?(?:\W+|$)"
)
"""A status of HTTP, at the start of a title."""

_REASONS = frozenset(squashed(status.phrase) for status in HTTPStatus) | {"moved"}
"""What servers write after a status."""

_OF_SITES = re.compile(
    r"\b(?:(?:this|that|the|your|web|home) ?page|site|website|url|e?-?mail address|browser|server|domain"
    r"|cart|basket|checkout|accounts?|passwords?|passkeys?|security keys?|user(?:name| ?id| name)"
    r"|authenticat\w+|regist(?:er|ration)|sign(?:ing|ed)?[ -]?(?:in|up|out)"
    r"|logg?(?:ing|ed|e|a)?[ -]?(?:in|on|out|ind|inn)"
    r"|your (?:data|orders?|visit|connection|device|details|profile|settings|bills?|payments?|wish ?list)"
    r"|your (?:purchases|session)|subscri(?:be|bers?|ption)|cookies?|javascript|captcha|privacy|copyright"
    r"|redirect\w*|search (?:terms?|results?)|check ?box|security check|you are (?:a )?human|partners store"
    r"|administra(?:tor\w*|teur|dor)"
    r"|\w*seite|unser shop|konto|benutzer\w*|warenkorb|passwort|anmeld\w+"
    r"|(?:ihre|deine) (?:bestellung|daten)\w*|compte|panier|navigateur|mot de passe"
    r"|adresse (?:e-?)?mail|(?:vos|votre) (?:commande|données)\w*"
    r"|página|sitio|cuenta|carrito|contraseña|navegador|(?:tus|sus) (?:pedidos|datos)|carrinho|senha"
    r"|pagina|sito|carrello|winkelwagen|wachtwoord|sidan|siden|kontot|lösenord\w*|adgangskode|passord"
    r"|sivu\w*|salasana\w*|tunnus\w*|ostoskori\w*|oldal\w*|jelsz\w+|fiók\w*|kosár\w*|kosara"
    r"|pagin\w+|parole?i|contul|strona|strony|koszyk|hasł\w+|stránk\w+|košík|heslo"
    r"|casilla|casella|vakje|kästchen|case ci-dessous|suchergebnisse"
    r"|r[ée]sult(?:ats|ados) d[ea] (?:la )?(?:recherche|búsqueda|busca|pesquisa)"
    r"|sayfa\w*|şifre\w*|sepet\w*|halaman|kata sandi|akun|trang|mật khẩu|tài khoản|giỏ hàng)\b"
    r"|страниц|сайт|аккаунт|корзин|парол|браузер|сторінк|σελίδα|κωδικ|λογαριασμ|ページ|パスワード|アカウント"
    r"|页面|網頁|网页|账户|账号|密码|페이지|계정|비밀번호|صفح[ةه]|الموقع|חשבון|הדף|หน้าเว็บ|รหัสผ่าน|บัญชี"
    r"|पृष्ठ|पेज|पासवर्ड|खाता"
)
"""Words of sentences in which a site speaks of itself or of an account."""

_TO_READER = re.compile(
    r"\b(?:[Yy]our?|[Pp]lease|Sie|Ihnen|Ihr(?:e[mnrs]?)?|[Bb]itte|[Vv]o(?:us|tre|s)|[Uu]sted(?:es)?|[Vv]ocê"
    r"|[Pp]uoi|[Tt]u[eoi]?|[Uu]w)\b|[Вв](?:ы|ас|ам|аш\w*)\b|您|あなた"
)
"""Words with which a site speaks to its reader."""

OF_ITSELF = re.compile(
    r"\b(?:this|we|us|our|request(?:ed)?|wir|unser\w*|diese[rs]?|nous|notre|nos|cette|nuestr[ao]s?|est[ae]|noss[ao]s?"
    r"|quest[ao]|nostr[oaie]|deze|denna|denne|мы|эт[аоу]|наш\w*)\b|この|当サイト|本站|此"
)
"""Words with which an error's page speaks of itself, of its site or of what was asked for."""

_MESSAGES = re.compile(
    # Of the browser.
    r"javascript|flash player|(?:uses|verwendet) frames"
    # Of a visitor who may not enter.
    r"|you (?:do not|don['’]t) have (?:permission|access|sufficient)|not logged in|is private\b"
    r"|(?:must|need to|have to) (?:be logged in|log in|sign in)|error report\b|document has moved"
    r"|your institution|we(?:['’]ve| have)? sent (?:you )?a code|to enter (?:this|our|the) (?:web)?site"
    r"|free articles|session has (?:ended|expired|timed out)|you (?:have )?requested|unusual traffic"
    r"|not a (?:robot|bot)\b|(?:use|gebruiken|verwenden|utilisons(?: des)?|usamos|utilizziamo) cookies"
    # Of a robot: that the visitor is none.
    r"|(?:kein|geen|inte en|ikke en|(?:êtes|suis) pas un|non (?:sei|essere) un|no (?:eres|soy) un"
    r"|não (?:é|sou) um|nie jesteś) rob[oô]"
    r"|не робот|ロボットではない|不是机器人|不是機器人|로봇이 아[님닙]|robot olma|checking your browser"
    # Of what only members read.
    r"|(?:nur für|réservé aux|para|per soli|alleen voor) (?:abonnent|abonné|su[bs]*criptor|abbonat|abonnee)"
    r"|(?:müssen|devez|debes?|moet|precisa|devi) (?:\S+ )?(?:angemeldet|anmelden|connecté|connecter"
    r"|iniciar sesión|ingelogd|inloggen|fazer login|effettuare l['’]accesso)|ログインが必要"
    r"|необходимо (?:войти|авторизоваться)"
    # Of a site that is to be asked later.
    r"|(?:try again|check back) (?:soon|later)|we(?: are|['’]re) (?:\w+ )?down for \w*\s?maintenance"
    r"|versuchen sie es (?:später|in)|réessayer plus tard|revenir plus tard"
    r"|int[eé]ntelo (?:de nuevo )?más tarde|intentarlo más tarde|riprova più tardi|tente novamente mais tarde"
    r"|probeer het later|попробуйте позже|зайдите позже|しばらくしてから|稍后再试"
    r"|hier entsteht (?:\w+ ){1,3}(?:internet|web|homepage)|used to test the correct operation"
    # Of a thing that is not there.
    r"|no text in this page|(?:there are|sorry,) no (?:\w+ )?(?:products|posts|articles|events)\b|^no posts\b"
    r"|can(?:not|['’]t) (?:seem to )?find what you|nothing was found at"
    r"|^search results for |(?:cart|basket|bag) is (?:currently )?empty|kosár üres|không tìm thấy"
    # Of a server, and of programs that fail.
    r"|(?<!with )\bnginx\b|\bftp\b|if you (?:see|can read) this page|on this server\b"
    r"|(?:this|your) domain is(?:n['’]t| not| for sale| parked)|if this is your domain|diese domain wurde"
    r"|(?:if you are|are you) the (?:site |website )?(?:owner|administrator)"
    r"|cannot get /|on line \d|incident id|ray id|request id|reference (?:id|#)"
    r'|\{.{0,200}"(?:error|message|status|code|detail)"'
)
"""What a site says in place of its page, and what programs write if they fail."""

_LANGUAGES = """
    english deutsch français francais español português italiano nederlands svenska dansk norsk suomi polski
    čeština magyar română türkçe ελληνικά русский українська العربية עברית हिन्दी ไทย indonesia 日本語 中文
    简体中文 繁體中文 한국어 | / -
    """
LANGUAGES = frozenset(_LANGUAGES.split())
"""Names of languages, as a page lists them to choose from."""

DOMAIN = re.compile(r"domain|domín|dominio|домен|ドメイン|域名")

NAMES = re.compile(
    rb"consent|cookie|gdpr|captcha|challenge|log-?in|sign-?in|\bcmp-?(?:wall|banner|box|modal|ui)\b"
    rb"|age-?(?:gate|verif)|\b404\b|not-?found|\berr(?:or)?-?(?:\d|page|detail)|page-?error|redirect"
    rb"|leaving-?site|interstitial|maintenance|unsupported|paywall|regwall|coming-?soon|under-?construction"
    rb"|no-?results?\b|parked|unsubscribe|(?:cart|basket)-?empty|empty-?(?:cart|basket)"
)
"""Names of elements that hold no content."""

NO_NAMES = re.compile(rb"\b(?:no|not|non|without)-[\w-]+|log(?:ged|ed)-?in[\w-]*|signed-?in[\w-]*")
"""Names which say that an element is no login, no notice or no wall."""

NAMES_OF_LOGINS = re.compile(rb"log-?in|log-?on|sign-?in|session|\bauth")
"""Names of the form of a login."""

NAMES_OF_STAND_INS = re.compile(rb"loading|loader|spinner|skeleton|splash|progressbar")
"""Names of placeholders that are shown until a script loads the page."""

_BODY_NAMES = {
    MISSING: """
        error404 search-no-results cms-noroute-index pagenotfound pagenotfoundbody template-404
        error-not_found error_page error-template mode_notfound page-404 page404 page-not-found
        """,
    LOGIN: """
        login-action-login login-action-lostpassword customer-account-login customer-account-logoutsuccess
        authentication loginbody template-customers-login account-login page-login-index pagelayout-login
        mw-special-userlogin path-user-login page-user-login mode_login mode_denied view-login
        """,
    CART: """
        checkout-cart-index checkout-index-index template-cart woocommerce-cart woocommerce-checkout
        shoppingcartbody checkout-cart checkout-checkout
        """,
}
KIND_OF_BODY_NAME = {name.encode(): kind for kind, names in _BODY_NAMES.items() for name in names.split()}
"""The kind of page by a name of `body`, as programs of blogs, shops, wikis and schools give it."""

_BETWEEN_SENTENCES = re.compile(r"(?<=[^\W\d][.!?…])\s+|(?<=[。！？])")
_BETWEEN_PARTS = re.compile(r"\s[|–—·»›‹-]\s|[|:()]")


def parts_of(title: str) -> list[str]:
    """Split a title, for example into its phrase and the name of the site, in small letters."""
    # The small letter of the Turkish I has a dot of its own.
    small = title.lower().replace("\u0307", "")
    return [part for part in map(str.strip, _BETWEEN_PARTS.split(small)) if part]


def sentences_of(text: str) -> list[str]:
    """Split a text at the ends of its sentences; a stop after a digit, as in dates, ends none."""
    return [sentence for sentence in _BETWEEN_SENTENCES.split(text) if sentence]


def phrase_kind(part: str) -> str | None:
    """Return the kind of page without content if a whole part of a title is a phrase of that kind."""
    regret = _REGRETS.match(part)
    if regret:
        part = part[regret.end() :]
    status = _STATUS.match(part)
    if status:
        part = part[status.end() :]
        if not part:
            return NUMBER
        if squashed(part) in _REASONS:
            return ERROR
    return KIND_OF_PHRASE.get(squashed(part)) or (DOOR if _AT_DOOR.match(part) else None)


def find_missing(part: str) -> Literal["page", "thing"] | None:
    """Find in a part of a title that the page, or a thing (an advert, results of a search), is missing."""
    words = _WORD.findall(part)
    of_page = not _PAGES.isdisjoint(words) or (not part.isascii() and _PAGE.search(part) is not None)
    of_thing = not _THINGS.isdisjoint(words) or (not part.isascii() and _THING.search(part) is not None)
    if (of_page or of_thing) and _IS_MISSING.search(part):
        return "page" if of_page else "thing"
    return "thing" if len(words) <= _MAX_SEARCH_WORDS and _NO_RESULTS.search(part) else None


def is_empty_phrase(part: str) -> bool:
    """Tell whether a part of a title says no more than that the page has no content."""
    letters = squashed(part)
    return not letters or letters in _INTERJECTIONS or bool(phrase_kind(part) or find_missing(part))


def names_login(part: str) -> bool:
    """Tell whether a part of a title has a word for a login."""
    return _IS_LOGIN.search(part) is not None


def is_message(text: str) -> bool:
    """Tell whether a text, in small letters, is said in place of the page."""
    if _MESSAGES.search(text):
        return True
    return len(text) <= _MAX_MESSAGE_CHARS and find_missing(text) is not None


def speaks_of_sites(text: str) -> bool:
    """Tell whether a text, in small letters, speaks of a site, a page or an account."""
    return _OF_SITES.search(text) is not None or names_login(text)


def speaks_to_reader(sentence: str) -> bool:
    """Tell whether a sentence, in its own capitals, speaks to the reader."""
    return _TO_READER.search(sentence) is not None


def is_on_something_else(sentence: str) -> bool:
    """Tell whether a sentence, in its own capitals, speaks neither of a site nor to its reader."""
    small = sentence.lower()
    of_site = is_message(small) or speaks_of_sites(small) or _IS_MISSING.search(small)
    return not of_site and not speaks_to_reader(sentence) and not sentence.endswith(":")
