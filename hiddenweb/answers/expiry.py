"""What a page says when it does not take a question because a session or a token is not good any more.

Few sites use the status that would say so (419, 440). Most answer with a page, in words. They are looked for on short pages only, and what was
asked for is taken out before: a film may be called "Session Expired".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiddenweb.answers.notices import said

if TYPE_CHECKING:
    from hiddenweb.model import HttpQuery, Page

_EXPIRED = re.compile(
    r"\b(?:your |the |this )?(?:session|page|form|token|link|search)(?: \w+){0,3} (?:expired|timed out|time-?out|is (?:no longer|not) valid|is invalid)|"
    r"\b(?:invalid|missing|expired|bad|wrong|mismatched) (?:\w+ ){0,2}(?:token|nonce|session|csrf|viewstate)|\b(?:csrf|xsrf|nonce|token)\b(?: \w+){0,3} "
    r"(?:failed|mismatch|missing|invalid|incorrect|expired)|\bsession (?:\w+ ){0,2}(?:not found|lost|ended)|validation of viewstate|"
    r"cookies? (?:must be|are|is|seem to be|have to be) (?:enabled|disabled|required|turned off)|(?:enable|allow|accept|activate) cookies|"
    r"(?:sitzung|session|seite|formular)(?: \w+){0,4} (?:abgelaufen|ungültig|beendet)|(?:ungültig\w*|fehlend\w*|abgelaufen\w*) (?:\w+ ){0,2}(?:token|sitzung|session)|"
    r"sicherheits(?:token|schlüssel)\b|cookies (?:aktivieren|zulassen|erlauben|akzeptieren)|"
    r"(?:session|page|formulaire|jeton)(?: \S+){0,4} (?:expiré|invalide|terminée)|jeton (?:\w+ ){0,2}(?:invalide|manquant)|"
    r"(?:sesión|página|formulario)(?: \S+){0,4} (?:expirado|caducado|expiró|caducó|terminado)|token (?:no válido|inválido|caducado)|"
    r"(?:sessione|pagina|modulo)(?: \S+){0,4} (?:scadut[ao]|terminata)|token (?:non valido|scaduto|mancante)|"
    r"(?:sessão|página|formulário)(?: \S+){0,4} (?:expirou|expirad[ao])|token inválido|(?:sessie|pagina)(?: \S+){0,3} verlopen|"
    r"(?:sesja|strona|formularz)(?: \S+){0,3} (?:wygasł[ao]?|nieważn[ay])|(?:nieprawidłowy|nieważny) token|"
    r"oturum\w*(?: \S+){0,4} (?:doldu|sona erdi|zaman aşımı)|geçersiz (?:\w+ )?(?:oturum|belirteç|jeton)|"
    r"(?:сесси\w*|сеанс\w*)(?: \S+){0,4} (?:истек\w*|истёк|устарел\w*|заверш\w*)|(?:неверный|недействительный) (?:\w+ )?токен|"
    r"انتهت (?:صلاحية |مدة )?(?:الجلسة|جلستك|الصفحة)|الجلسة منتهية|رمز (?:غير صالح|منتهي)|"
    r"(?:会话|會話|页面|頁面|令牌|登录).{0,8}(?:过期|過期|失效|超时|逾時|已结束)|"
    r"セッション.{0,14}(?:切れ|タイムアウト|無効|終了)|有効期限.{0,6}(?:切れ|過ぎ)|トークン.{0,8}(?:無効|不正)|"
    r"(?:เซสชัน|เซสชั่น|หน้านี้).{0,8}หมดอายุ|โทเค็น.{0,6}ไม่ถูกต้อง",
    re.IGNORECASE,
)


def says_expired(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that a session or a token is not good any more, or nothing."""
    return said(_EXPIRED, page, query)
