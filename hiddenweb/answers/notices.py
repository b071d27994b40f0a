"""What a page without records says of itself: nothing was found, there is no such page, it failed, or it keeps us out.

Structure decides first (`hiddenweb.answers.cases`); these words tell apart what looks the same. They are the usual ones of
search pages, servers and gatekeepers in a dozen languages. What was asked for is taken out of the text before it is read: a page that repeats
"robot" is no gatekeeper.

A suggestion ("did you mean") needs no words at all: it is a link that asks the same search for almost the same word, or that word in
quotation marks.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote_plus, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.model import HttpQuery, Page

_NOTHING = re.compile(
    r"\b(?:no|zero|without) (?:\w+ ){0,2}?(?:results?|match|record|entr(?:y|ies)|items?\b|hits?\b|documents?|products?|listings?)|"
    r"\b(?:nothing|none|not) (?:was |were |could be )?(?:found|matche)|(?:\bnot|n['’]t|\bunable to) (?:find|found|match) any|"
    r"\bno \w+ match|\b(?:did|does) not match|\bno\w* \w+ (?:was |were )?found|"
    r"\b(?:results?|hits|matches|treffer|ergebnisse|résultats?|resultados|risultati|wyniki|sonuçlar|результаты)\s?[:(]\s?0\b|"
    r"(?<![\d.,])0 (?:\w+ ){0,2}found\b|(?<![\d.,])0 (?:of|out of) 0\b|"
    r"(?<![\d.,])0 (?:results?|hits?|matches|records?|rows|entries|articles|documents|issues|tickets|treffer|ergebnisse|resultados|risultati|résultats?|wyników|sonuç|kayıt|записей|"
    r"результатов|نتيجة|نتائج)|\bkeine? (?:\w+ ){0,2}(?:ergebnis|treffer|eintr[aä]g|resultat|dokument|datens)|"
    r"\b(?:nichts|kein\w* \w+|nicht) gefunden|\bnichts (?:\w+ )?finden|\bkeine? (?:\w+ ){1,3}finden|\b(?:ergebnis|erfolg|treffer)los|ohne (?:ergebnis|treffer|erfolg)|"
    r"\baucune? (?:\w+ ){0,2}(?:résultat|réponse|document|correspondance|enregistrement|fiche|élément)|"
    r"\brien (?:n['’]a|trouvé)|pas de résultat|n['’]a (?:donné|retourné|renvoyé) aucun|\baucun\w* \w+ (?:n['’]a|trouvé)|pas trouvé|"
    r"\b(?:sin|no hay|ning[uú]n\w*|cero) (?:\w+ ){0,2}(?:resultado|registro|coincidencia|elemento|encontrad|documento)|"
    r"\bno (?:se (?:ha |han )?|hemos )(?:encontr|obtuv|hall)|\bno (?:ha |han )?(?:produc|dev|arroj|existen)\w*|"
    r"\bnessun\w* (?:\w+ ){0,2}(?:risultat|element|corrispond|trovat|record|document)|\bnon (?:ha|hanno) prodotto|"
    r"\bnon (?:è stato|sono stati|ci sono|abbiamo|risultano) |\bnenhum\w* (?:\w+ ){0,2}(?:resultado|registro|encontrad)|"
    r"\bgeen (?:\w+ ){0,2}(?:resulta|treffers)|\bniets gevonden|\binga (?:\w+ )?(?:träff|resultat)|\bingen (?:\w+ )?(?:treff|resultat)|"
    r"\bbrak (?:\w+ ){0,2}(?:wynik|rezultat|wyszuk|rekord|pozycj|dan|dopasow)|\bnic nie znalez\w*|\bnie (?:\w+ ){0,2}znalez\w*|"
    r"\bżad(?:en|na|ne)\b (?:\w+ ){0,3}nie|\bnie (?:odnaleziono|przyniosło|zwróciło|ma (?:\w+ )?wynik)\w*|bulunamad\w*|bulunmu?yor|bulamad\w*|bulunmamaktad\w*|"
    r"\b(?:sonuç|kayıt) (?:yok|vermedi)|\bhiç(?:bir)? \w+ (?:yok|bulun)|"
    r"ничего не (?:\w+ )?(?:найд|нашл)\w*|не (?:был\w* )?(?:найден|обнаружен|нашл)\w*|нет результат\w*|результатов нет|"
    r"не дал\w* результат|нет (?:совпадений|записей|данных|документов)|"
    r"لا (?:توجد|يوجد)|لم (?:يتم )?(?:ال)?(?:عثور|نعثر|يعثر|نجد|يسفر|تسفر)|لا نتائج|بدون نتائج|"
    r"(?:没有|沒有|未|暂无|暫無|无)(?:\w{0,4})(?:找到|结果|結果|符合|匹配|检索|檢索|查询|查到|搜索|搜尋|数据|資料|记录|紀錄|相关|相關|内容)|找不到|"
    r"見つかりません|見つかりませんで|見当たりません|(?:該当|一致|結果|データ|情報|項目).{0,12}(?:ありません|なし|無し|ございません)|ありませんでした|"
    r"\bei (?:\w+ ){0,2}(?:tuloksia|osumia|löytyn|hakutuloksia)\w*|\bhittade(?:s)? (?:inga|inget|ingenting)|\bintet fundet|\bfant ingen|\bikke funnet|\bengar niðurstöður|"
    r"\bnebyl\w* (?:\w+ )?nalez\w*|\bžádn\w+ (?:\w+ ){0,2}(?:výsled|záznam|polož|nenalez|neby)\w*|\bnic ne(?:nalezeno|bylo)\w*|\bnenalezen\w*|\bnenašl\w+|\bneboli? (?:\w+ )?nájden\w*|\bžiadn\w+ (?:\w+ ){0,2}(?:výsled|záznam|polož)\w*|"
    r"\bnincs (?:\w+ )?(?:találat|eredmény)\w*|\bnem (?:\w+ ){0,2}talál\w*|\b(?:niciun|nici un|nicio|fără) (?:\w+ ){0,2}(?:rezultat|înregistr)\w*|\bnu (?:\w+[ -]){0,3}găsit\w*|\bnu există rezultat\w*|"
    r"нічого не знайд\w*|не знайд\w*|немає результат\w*|няма (?:\w+ )?(?:намерен|резултат|съвпад)\w*|не (?:са|бе\w*) (?:\w+ )?намерен\w*|нема (?:\w+ )?резултат\w*|није (?:\w+ )?пронађен\w*|"
    r"\bnema (?:\w+ )?(?:rezultat|pronađen)\w*|\bnije (?:\w+ )?pronađen\w*|\bništa nije pronađen\w*|\bni (?:\w+ )?(?:zadetk|rezultat|najden)\w*|"
    r"\bei leitud|\btulemusi ei\b|\bnetika atrast\w*|\bnav (?:\w+ )?(?:rezultāt|atrast)\w*|\bnerasta\b|\brezultatų nėra|"
    r"δεν (?:\w+ ){0,2}(?:βρέθηκ|υπάρχ|εντοπίστηκ)\w*|κανένα αποτέλεσμα|לא נמצא\w*|אין תוצאות|(?:نتیجه|موردی|چیزی)\S* (?:\S+ )?(?:یافت|پیدا) ن\w+|یافت نشد|"
    r"(?:कोई|कुछ) (?:\S+ ){0,2}(?:नहीं|नही)|(?:검색|조회) ?결과가? ?없|찾을 수 없|\btidak (?:\w+ ){0,2}(?:ditemukan|menemukan|ada hasil)|\btiada hasil|\bkhông (?:\w+ ){0,2}(?:tìm thấy|có kết quả)|"
    r"\bno s['’](?:ha|han) trobat|\bcap resultat|\bez da (?:\w+ )?(?:aurkitu|emaitzarik)|\bnon se atop\w+|"
    r"(?<!\d)[0０]\s?件|ไม่(?:พบ|มี)(?:ผล|ข้อมูล|รายการ|สิ่ง|เนื้อหา|คำ)?|결과가 없|없습니다|não (?:foram |foi )?encontr",
    re.IGNORECASE,
)

_MISSING = re.compile(
    r"\bpage (?:[\w'’]+ ){0,8}?(?:not (?:be )?(?:found|exist|here)|n['’]t (?:be )?(?:found|exist)|(?:doesn|couldn|can)['’]t|does not exist|"
    r"no longer|(?:been |was |be )?(?:moved|removed|deleted)|is (?:missing|gone|unavailable))|"
    r"\baddress (?:\w+ ){0,4}(?:nowhere|wrong|invalid)|check (?:the|this|your) (?:address|url)\b|"
    r"\b(?:no such|find (?:the|that|this)|looking for (?:a|the)|there is no) page|"
    r"\b(?:error|http|fehler|erreur|hata|errore|błąd|ошибка|خطأ|ข้อผิดพลาด)[\s:]*404|\b404\b[\s:-]*(?:error|not found|エラー|-)|"
    r"not found on this server|(?:file|document|url) (?:was )?not found|nothing here|"
    r"seite (?:[\w]+ ){0,8}?(?:nicht (?:gefunden|mehr|vorhanden|verfügbar|finden|existier)|existiert nicht|gelöscht|verschoben|entfernt)|"
    r"\bkeine (?:solche )?seite\b|seite gibt es (?:nicht|hier)|"
    r"page (?:[\w'’]+ ){0,8}?(?:introuvable|n['’]existe|n['’]est (?:plus|pas)|(?:pas|été) (?:trouv|déplac|supprim)\w*)|\bpage introuvable|"
    r"(?:trouver|trouvé|aucune) (?:la |de |cette )?page|page (?:[\w'’]+ ){0,5}(?:déplacée|supprimée)|"
    r"p[aá]gina (?:\w+ ){0,8}?(?:no (?:existe|se (?:ha |pudo )?encontr|est[aá]|encontrad)\w*|não (?:existe|encontrad|foi)\w*|movid|eliminad|borrad|inexistente)|"
    r"(?:ning[uú]n|ninguna|no hay|encontr\w+|hallado) (?:\w+ )?p[aá]gina|"
    r"pagina (?:\w+ ){0,8}?(?:non (?:esiste|trovat|è|disponib|più|presente)\w*|inesistente|spostat|rimoss|eliminat|cancellat|niet gevonden|bestaat niet)|"
    r"(?:nessuna|trovare|trovato|esiste) (?:la |una |questa )?pagina|"
    r"stron[ayęie]\w* (?:\w+ ){0,8}?(?:nie (?:istnieje|została|znaleziono|ma|odnaleziono|znaleźliśmy|jest)|usunięta|przeniesiona)|"
    r"(?:nie (?:ma|znaleziono|istnieje|znaleźliśmy|możemy znaleźć)) (?:\w+ ){0,3}stron|brak (?:\w+ )?strony|"
    r"sayfa(?:yı|nın|sı)? (?:\w+ ){0,8}?(?:bulunama|bulamad|bulunmu?yor|yok|mevcut değil|taşınmış|silinmiş|kaldırıl)\w*|"
    r"страниц\w* (?:[\w,]+ ){0,8}?(?:не (?:найд|существ|нашл|обнаруж)|больше нет|удален|перемещ|перемещен|отсутств|нет\b|был\w* (?:удал|перемещ))\w*|"
    r"(?:нет|найти|нашли|не найдена|такой) (?:\w+ ){0,2}страниц\w*|"
    r"(?:الصفحة|صفحة) (?:\S+ ){0,5}?(?:غير|لم|لا|ليست|حذف|نقل)|(?:العثور على|نقل|توجد) (?:\S+ )?(?:الصفحة|صفحة)|هذه الصفحة غير|"
    r"(?:页面|頁面|网页|網頁).{0,12}(?:不存在|找不到|未找到|没有|删除|移动|丢失|已失效|不在)|(?:找不到|没有|未找到|沒有).{0,8}(?:页面|頁面|网页|網頁)|网址有误|"
    r"ページ.{0,14}(?:見つかりません|存在しません|ありません|ございません|削除|移動)|(?:404).{0,3}エラー|"
    r"(?:ไม่พบ|ไม่มี|หา).{0,14}หน้า|หน้า(?:เว็บ)?(?:นี้)?.{0,12}(?:ไม่มี|ถูกย้าย|ถูกลบ|ไม่พบ)|페이지.{0,10}(?:없|찾을 수)",
    re.IGNORECASE,
)

_BLOCKED = re.compile(
    r"\b(?:re)?captcha\b|\bnot a (?:ro)?bot\b|\bare you (?:a )?(?:human|(?:ro)?bot)|\b(?:you are|you're|are you) (?:really )?(?:a )?human|"
    r"unusual (?:traffic|activity|number of requests)|\btoo many (?:requests|queries)|"
    r"\b(?:access|request|connection|you|ip|address)(?: \w+){0,4} (?:denied|restricted|blocked|forbidden|banned|refused)\b|"
    r"\b(?:automated|automatic|robotic) (?:requests?|quer\w+|access|traffic|tools?)|\bsecurity (?:check|verification)|"
    r"checking (?:if the site connection|your browser)|\brate limit|verify (?:that )?you|\bray id\b|\bjust a moment\b|"
    r"kein roboter|(?:ein|als) roboter|(?:ein )?mensch sind|ungewöhnlich\w* (?:\w+ )?(?:datenverkehr|aktivität|zugriff|verkehr)\w*|"
    r"zu viele (?:anfragen|zugriffe|abfragen)|(?:zugriff|zugang)\w*(?: \w+){0,5} (?:verweigert|eingeschränkt|gesperrt|blockiert|verboten)|"
    r"automati\w+ (?:anfragen|zugriffe|abfragen)|sicherheits(?:über)?(?:prüfung|abfrage|kontrolle|check)|"
    r"(?:pas|êtes-vous|être|bien) un (?:robot|humain)|un robot\b|êtes (?:bien )?(?:un )?humain|(?:trafic|activité) inhabituel\w*|trop de (?:requêtes|demandes)|"
    r"accès(?: \S+){0,4} (?:refusé|restreint|bloqué|interdit|limité|suspendu)|(?:requêtes|demandes) automati\w+|(?:contrôle|vérification) de sécurité|"
    r"(?:es|eres|soy|ser) un (?:robot|humano)|un robot\b|(?:es|eres) (?:usted )?(?:un )?(?:ser )?humano|(?:tráfico|actividad) inusual|demasiad[ao]s (?:solicitudes|peticiones|consultas)|"
    r"(?:acceso|acesso)(?: \w+){0,4} (?:denegado|restringido|bloqueado|prohibido|limitado|negado|suspendido)|"
    r"(?:solicitudes|peticiones|consultas) automáticas|(?:control|verificación|comprobación|verificação) de segur\w+|"
    r"essere (?:un )?(?:umano|essere umano)|(?:sei|è) (?:un )?(?:umano|robot)|traffico (?:insolito|anomalo|inusuale)|troppe richieste|"
    r"accesso(?: \w+){0,4} (?:negato|limitato|bloccato|vietato|sospeso)|richieste automati\w+|(?:controllo|verifica) di sicurezza|"
    r"robotem|jesteś(?:cie)? człowiekiem|nietypowy ruch|(?:zbyt wiele|za dużo) (?:żądań|zapytań|prób)|"
    r"dostęp(?: \w+){0,4} (?:zabroniony|ograniczony|zablokowany|wzbroniony)|odmowa dostępu|odmówiono dostępu|automatyczn\w+ (?:żądania|zapytania)|"
    r"(?:kontrola|weryfikacja) bezpieczeństwa|robot (?:olmadığınız|musunuz|değil)\w*|insan olduğunuz\w*|olağan ?dışı (?:trafik|etkinlik)|çok fazla istek|"
    r"erişim\w*(?: \w+){0,4} (?:engellen|reddedil|kısıtlan|kısıtlı)\w*|otomatik (?:istek|sorgu)\w*|güvenlik (?:kontrolü|doğrulaması)|"
    r"не робот|вы робот|вы (?:не )?человек|необычн\w+ (?:трафик|активност)\w*|слишком много запросов|"
    r"доступ(?: \w+){0,4} (?:запрещ|огранич|заблокир|закрыт)\w*|автоматическ\w+ запрос\w*|проверк\w+ безопасности|подозрительн\w+ (?:трафик|активност)|"
    r"روبوت|أنك إنسان|حركة مرور غير|طلبات كثيرة|رفض الوصول|الوصول (?:مقيد|مرفوض|محظور)|حظر وصول|طلبات آلية|فحص الأمان|"
    r"机器人|機器人|人机验证|异常流量|流量异常|異常流量|访问(?:过于频繁|受限|被拒|被禁|频率|已被)|拒绝访问|禁止访问|请求过(?:多|于频繁)|安全验证|完成验证|验证码|驗證碼|自动请求|"
    r"ロボット|人間であること|通常と異なる|アクセス(?:制限|が(?:拒否|制限)|を.{0,8}(?:制限|拒否))|リクエストが多すぎ|自動(?:的な)?(?:リクエスト|アクセス)|"
    r"セキュリティ(?:確認|チェック|上の理由)|画像認証|多数のアクセス|"
    r"หุ่นยนต์|เป็นมนุษย์|การใช้งานผิดปกติ|คำขอ(?:มากเกิน|อัตโนมัติ)|(?:จำกัด|ระงับ|ปฏิเสธ|อนุญาต).{0,6}เข้าถึง|เข้าถึงของคุณถูก|ตรวจสอบความปลอดภัย|로봇이 아닙",
    re.IGNORECASE,
)

_FAILED = re.compile(
    r"\b(?:an|internal|server|system|unexpected|fatal|database) (?:\w+ )?error\b|\berror (?:has )?occurred|something went wrong|"
    r"(?:temporarily|currently) unavailable|could not (?:be processed|process)|service unavailable|"
    r"fehler (?:ist )?(?:aufgetreten|passiert)|ist ein (?:\w+ )?fehler|etwas (?:ist )?schief|(?:vorübergehend|derzeit) nicht (?:erreichbar|verfügbar)|nicht (?:verarbeitet|bearbeitet) werden|"
    r"erreur (?:\w+ ){0,3}(?:est survenue|s['’]est produite|serveur)|une erreur|temporairement (?:indisponible|inaccessible)|"
    r"(?:se ha producido|ocurrió|ha ocurrido|hubo) un (?:\w+ )?(?:error|problema)|temporalmente (?:no disponible|fuera)|algo (?:salió|ha salido|fue) mal|"
    r"(?:si è verificato|c['’]è stato) un (?:\w+ )?(?:errore|problema)|temporaneamente non|qualcosa è andato|"
    r"wystąpił (?:\w+ )?(?:błąd|problem)|coś poszło|tymczasowo niedostępn|hata (?:oluştu|meydana)|bir (?:şeyler|sorun|hata)|geçici olarak|"
    r"произошла (?:\w+ )?ошибка|что-то пошло|временно недоступ\w*|حدث خطأ|غير متاحة? (?:حاليا|مؤقتا)|"
    r"发生错误|發生錯誤|出错|系统(?:繁忙|错误|异常)|服务(?:暂时)?不可用|暂时不可用|エラーが発生|問題が発生|ご利用いただけません|処理できません|"
    r"เกิดข้อผิดพลาด|ระบบขัดข้อง|ไม่สามารถ(?:ให้บริการ|ดำเนินการ)|บางอย่างผิดพลาด",
    re.IGNORECASE,
)

_TOO_MANY = re.compile(
    r"\btoo many (?:\w+ ){0,2}?(?:results?|responses?|records?|matches|hits|entries|documents|rows|items|found)|\btoo (?:many|much) (?:was |were )?(?:found|match)|"
    r"\btoo (?:general|broad|common|large|unspecific)|\b(?:narrow|refine|restrict|limit) (?:down )?(?:your |the )?(?:search|query|terms)|more specific|"
    r"\b(?:results?|matches|records?) (?:\w+ ){0,3}(?:exceed|limit)|\btoo many to (?:list|show|display|return)|\bnarrow (?:it|them|this) down|"
    r"\badd (?:another|more|further) (?:search )?(?:terms?|words?|keywords?|criteria)|"
    r"(?:zahl|ergebnisse|treffer)\b.{0,20} zu (?:groß|hoch)|präzisieren sie|suchen sie genauer|trop élevé|veuillez la (?:restreindre|préciser)|ajoutez des critères|son demasiad[oa]s|más específic|restrinja la|"
    r"sono troppi|criteri più|altri criteri|meglio la ricerca|zbyt (?:duża|ogólne)|więcej kryteriów|nie można ich wyświetlić|çok (?:genel|yüksek)|sayı çok fazla|gösterilemiyor|слишком велик|конкретизируйте|"
    r"数量过多|范围过大|细化|条件を(?:絞|追加)|تضييق نطاق|عام جدا|أكثر تحديدا|أكثر من اللازم|لا يمكن عرضها|(?:รายการ|ผลลัพธ์) ?ซึ่งมากเกินไป|กว้างเกินไป|จำกัดขอบเขต|เพิ่มเงื่อนไข|เจาะจง|"
    r"zu viele (?:\w+ )?(?:treffer|ergebnisse|resultate|einträge|datensätze)|zu (?:allgemein|unspezifisch)|(?:schränken|grenzen) sie|genauer (?:an|ein|suchen)|"
    r"trop de (?:résultats|réponses|enregistrements|documents)|trop (?:large|générale?|vaste)|(?:préciser|affiner|restreindre|précisez|affinez) (?:votre|la|vos)|"
    r"demasiad[oa]s (?:resultados|registros|coincidencias)|demasiado (?:general|amplia)|(?:refin|acot|limit|precis)\w+ (?:su|la|tu) (?:búsqueda|consulta)|"
    r"troppi (?:risultati|record|elementi)|troppo (?:generic|ampi)\w+|(?:restring|affin|raffin)\w+ la ricerca|(?:muitos|demais) (?:resultados|registros)|refine (?:a|sua) (?:busca|pesquisa)|"
    r"te veel (?:resultaten|treffers)|(?:zbyt|za) (?:wiele|dużo) (?:wyników|rekordów|rezultatów)|(?:zawęź|doprecyzuj)|çok fazla (?:sonuç|kayıt)|aramanızı daralt|"
    r"слишком (?:много|общий|большо)\w* ?(?:результат|запис|совпадени|документ|запрос)?\w*|(?:уточните|сузьте) (?:запрос|поиск|услови)|"
    r"(?:结果|結果|记录|紀錄)(?:过多|太多|過多)|(?:缩小|縮小).{0,4}范?圍?围?|(?:件数|結果|該当).{0,6}(?:多すぎ|超え)|絞り込んで|نتائج كثيرة|كثير من النتائج|ผลลัพธ์มากเกิน|결과가 너무 많",
    re.IGNORECASE,
)

_TIME = re.compile(
    r"(?<![\d.,])(?P<number>\d{1,4})\s*(?:"
    r"(?P<seconds>s|secs?|seconds?|sek\w*|secondes?|segundos?|secondi|segons|seconden|saniye\w*|secunde|sekunnin|sekunti\w*|másodperc\w*|giây|detik|"
    r"секунд\w*|сек|δευτερόλεπτ\w*|שניות|ثانية|ثوان\w*|ثانیه)\b|(?P<second>秒|초|วินาที)|"
    r"(?P<minutes>min|minutes?|minuten?|minutos?|minuti|minut\w*|dakika\w*|perc\w*|phút|menit|хвилин\w*|минут\w*|λεπτ\w*|דקות|دقيقة|دقائق|دقیقه)\b|"
    r"(?P<minute>分|분|นาที))",
    re.IGNORECASE,
)
_WAIT = re.compile(
    r"\b(?:wait|again|before (?:you|the next|search)|between (?:searches|queries|two)|once (?:every|per|in)|every|every other|too (?:soon|fast|often|quickly)|"
    r"warte\w*|erneut|nochmals?|noch einmal|alle|zwischen|bevor|patient\w*|attend\w*|de nouveau|à nouveau|toutes les|avant de|esper\w*|de nuevo|nuevamente|"
    r"cada|antes de|aguard\w*|novamente|de novo|attend\w*|aspett\w*|riprov\w*|di nuovo|ogni|prima di|wacht\w*|opnieuw|elke|vänta|igen|vent|odota|uudelleen|"
    r"pocze\w*|odcze\w*|zaczek\w*|ponown\w*|co|počk\w*|vyčk\w*|znovu|várj\w*|újra|așteptați|din nou|bekle\w*|tekrar|sonra|chờ|tunggu|"
    r"подожд\w*|ожид\w*|через|повтор\w*|снова|кажд\w+|раз в|зачека\w*|почека\w*|знову|кожн\w+|περιμέν\w*|ξανά|κάθε)\b|"
    r"انتظ|مرة أخرى|صبر|等待|等候|稍后|稍後|请等|請等|再次|再试|再試|每隔|間隔|间隔|お待ち|待って|経って|기다|다시|후에|รอ|อีกครั้ง",
    re.IGNORECASE,
)

_SCRIPT = re.compile(
    r"(?:enable|activate|turn on|switch on|requires?|needs?|without|aktivier\w*|benötigt|activer|nécessite|activar|activa|requiere|attiva\w*|"
    r"richiede|włącz|wymaga|включите|требуется) (?:[\w-]+ ){0,2}java-?script|"
    r"java-?script (?:[\w-]+ ){0,3}?(?:required|disabled|enabled|needed|aktivier\w*|erforderlich|activé|nécessaire|activado|necesario|abilitato|"
    r"wyłączon\w*|отключ\w*)|(?:启用|啟用|开启).{0,4}javascript|javascript.{0,6}(?:有効|無効)",
    re.IGNORECASE,
)

_QUOTED = re.compile(r"[\"“”„«»「」『』‹›]([^\"“”„«»「」『』‹›\n]{3,80})[\"“”„«»「」『』‹›]")
_TITLES_END = re.compile(r"\s[-|–—:·»]\s")
_NOT_FOUND = re.compile(
    r"(?:404|not found|nicht gefunden|introuvable|no encontrad[oa]|não encontrad[oa]|non trovat[oa]|nie znaleziono|bulunamadı|"
    r"не найден[оа])[.!]?",
    re.IGNORECASE,
)
_FIRST_WORDS = 10_000  # characters in which a page says whether it found anything
_LONGEST_NOTICE = 2500  # characters: a page that only says that it is none is short
_LONGEST_WAIT = 300  # characters of a line that asks to wait
_MINUTE = 60
_SHORTEST_WORD = 3
_ALIKE = 0.72  # share of letters that a suggestion has in common with what was asked


def says_nothing_found(text: str) -> str:
    """Return the words with which a text says that nothing was found, or nothing."""
    return _found(_NOTHING, text[:_FIRST_WORDS]).strip()


def says_missing(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that it does not exist, or nothing.

    A bare "Not found" for a title is what servers say of pages; an answer would say what it did not find.
    """
    title = _TITLES_END.split(page.title)[0].strip()
    is_bare = _NOT_FOUND.fullmatch(title) and query.keyword.casefold() not in page.text.casefold()
    return title if is_bare else said(_MISSING, page, query)


def says_failed(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that something went wrong, or nothing."""
    return said(_FAILED, page, query)


def says_blocked(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page keeps us out, or nothing."""
    return said(_BLOCKED, page, query)


def says_too_many(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page shows nothing of what was found because it is too much, or nothing."""
    return said(_TOO_MANY, page, query)


def says_script_is_needed(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that only a browser with scripts shows what was found, or nothing."""
    found = _SCRIPT.search(without_words(page.text[:_FIRST_WORDS], query.keyword))
    return " ".join(found[0].split()) if found else ""


class RequestedPause(NamedTuple):
    """How long a site wants to be left in peace, in seconds."""

    seconds: float  # until the next question
    interval: float  # between any two questions


def asked_to_wait(lines: Iterable[str], query: HttpQuery) -> RequestedPause | None:
    """Return how long the lines of a page want us to wait before it is asked again.

    Forums let nobody search more than once in half a minute or so: "only one search every 30 seconds, please wait another 12 seconds".
    """
    for line in lines:
        said = without_words(line, query.keyword)
        if len(said) <= _LONGEST_WAIT and _WAIT.search(said):
            times = [seconds for found in _TIME.finditer(said) if (seconds := _in_seconds(found)) > 0]
            if times:
                return RequestedPause(times[-1], max(times))
    return None


def _in_seconds(found: re.Match[str]) -> float:
    return float(found["number"]) * (_MINUTE if found["minutes"] or found["minute"] else 1)


def suggestion(page: Page, query: HttpQuery) -> str:
    """Return the words that a page without records would rather be asked: almost those that were asked."""
    asked = query.keyword.strip()
    if len(asked) < _SHORTEST_WORD:
        return ""
    for words in (*_linked_words(page, query), *_QUOTED.findall(page.text[:_FIRST_WORDS])):
        if words.strip().lower() != asked.lower() and _is_alike(_folded(words), _folded(asked)):
            return " ".join(words.split())
    return ""


def without_words(text: str, words: str) -> str:
    """Return a text without what was asked for, in whatever case it is written."""
    return re.sub(re.escape(words), " ", text, flags=re.IGNORECASE) if words.strip() else text


def said(pattern: re.Pattern[str], page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says what a pattern looks for, on a short page or in its title; or nothing."""
    text = f"{page.title}\n{page.text}"
    for form in page.forms:
        text = text.replace(form.text, " ", 1) if form.text else text
    if len(text) > _LONGEST_NOTICE:
        text = page.title
    return " ".join(_found(pattern, without_words(text, query.keyword)).split())


@lru_cache(maxsize=64)
def _found(pattern: re.Pattern[str], text: str) -> str:
    """Return the first words of a text that a pattern looks for. A page is asked the same several times, on the way to what it is."""
    found = pattern.search(text)
    return found[0] if found else ""


def _linked_words(page: Page, query: HttpQuery) -> Iterator[str]:
    """Yield what the links of a page ask the same search for."""
    path = urlsplit(query.url).path
    for link in page.links:
        parts = urlsplit(link.url)
        if parts.path.partition(";")[0] != path.partition(";")[0]:
            continue
        values = [
            unquote_plus(pair.partition("=")[2], errors="replace") for pair in re.split("[&;]", parts.query)
        ]
        told = _folded(link.anchor)
        yield from (value for value in values if value and _folded(value) in told)


def _folded(words: str) -> str:
    return " ".join(words.casefold().split())


def _is_alike(words: str, asked: str) -> bool:
    if min(len(words), len(asked)) > _SHORTEST_WORD and (words in asked or asked in words):
        return True
    if abs(len(words) - len(asked)) > max(2, len(asked) // 3):
        return False
    return SequenceMatcher(None, words, asked, autojunk=False).ratio() >= _ALIKE
