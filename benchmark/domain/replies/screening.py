"""What a reply is before its text is read: refused, cut off or empty; and how refusals sound.

The provider's own signals come first, because text beside them may look like an answer.
"""

from __future__ import annotations

import re

from benchmark.domain.replies.outcome import ParsedReply, ReplyState, rejected

LENGTH_REASONS = frozenset({"length", "max_tokens", "max_output_tokens"})
REFUSAL_REASONS = frozenset(
    {"content_filter", "safety", "refusal", "prohibited_content", "blocklist", "spii"}
)

_APOLOGY = (
    r"\b(?:sorry|apologi[sz]e|apologies)\b[^.\n]{0,80}\b(?:but|can't|cannot|can not|unable|not)\b"
)
_ANSWERING = (
    r"(?:rat(?:e|ing|ings)|answer|respond|reply|provide|give|assign|score|help|assist|comply|"
    r"fulfil|fulfill|complete|do (?:that|this|so|it)|engage|continue|participate|express|feel|"
    r"experience|have|imagine|discuss|offer|support|share|simulate|evaluate|indicate|generate)"
)
# "I can't stand …" is an item of a questionnaire, not a refusal.
_CANNOT = (
    r"\bi(?:'m| am|'d)? (?:simply |really |also |just |truly |therefore )?"
    r"(?:can't|cannot|can not|couldn't|won't|will not|unable to|not able to|not comfortable|"
    r"not capable|refuse to|decline to|prefer not to)\b"
    r"(?! (?:stand|bear|tolerate)\b)(?:[^.\n]{0,80}\b" + _ANSWERING + r"\b|\s?[.!,]|\s?$)"
    r"|\bi (?:must|have to|will have to) (?:respectfully |politely )?decline\b"
)
_NO_FEELINGS = (
    r"\bi (?:do not|don't|lack|cannot|can't|have no)(?: [\w']{1,20}){0,6}"
    r" (?:feelings|emotions|consciousness|sentience)\b"
    r"|\bi (?:do not|don't) (?:[\w']{1,15} ){0,2}(?:feel|experience)\b"
)
_AS_AN_AI = (
    r"\b(?:as|i'm|i am|being) (?:just |only |merely )?an? "
    r"(?:ai|artificial|large language|language model)\b"
)
_GERMAN = (
    r"\bals (?:eine? )?(?:ki|künstliche intelligenz|sprachmodell|großes sprachmodell|"
    r"grosses sprachmodell|ki-)|\btut mir (?:sehr )?leid\b|\bich habe keine (?:eigenen |"
    r"persönlichen |menschlichen )?(?:gefühle|emotionen)|"
    r"\b(?:ich kann|kann ich) [^.\n]{0,80}\b(?:nicht|keine)\b"
)
_FRENCH = (
    r"\ben tant qu(?:'|e )(?:une? )?(?:ia\b|intelligence artificielle|modèle de langage|"
    r"assistant)|\bdésolée?\b|\bje ne (?:peux|suis pas en mesure|ressens|possède)\b|"
    r"\bne pas pouvoir\b|"
    r"\bje n'ai pas (?:de |d')(?:sentiments|émotions)"
)
_SPANISH = (
    r"\blo siento\b|\bcomo (?:una? )?(?:ia\b|inteligencia artificial|modelo de lenguaje)|"
    r"\bno puedo\b|\bno tengo (?:sentimientos|emociones)"
)
_CHINESE = (
    r"(?:作为|我是)(?:一个|一名|一款|一种)?(?:ai|人工智能|大?语言模型|大?型?语言模型)|抱歉|对不起|"
    r"我(?:无法|不能|没有(?:真实的|自己的|个人的|人类的)?(?:感情|情感|情绪|感受))|"
    r"作為(?:一個|一名)?(?:ai|人工智慧|人工智能|語言模型)|對不起|我(?:無法|沒有(?:感情|情感|情緒))"
)
_REFUSAL = re.compile(
    "|".join((_APOLOGY, _CANNOT, _NO_FEELINGS, _AS_AN_AI, _GERMAN, _FRENCH, _SPANISH, _CHINESE))
)


def screen(raw: str | None, finish_reason: str | None, refusal: str | None) -> ParsedReply | None:
    """The outcome that the provider's signals decide; None where the text must be read."""
    finish = (finish_reason or "").strip().casefold()
    if refusal and refusal.strip():
        return rejected(ReplyState.REFUSED, "The provider marked the reply as a refusal.")
    if finish in REFUSAL_REASONS:
        return rejected(ReplyState.REFUSED, f"The provider stopped the reply ({finish}).")
    is_blank = raw is None or not raw.strip()
    if finish in LENGTH_REASONS:
        reason = "The reply was cut off at the token limit."
        if is_blank:
            reason = "The token limit was used up before an answer began."
        return rejected(ReplyState.TRUNCATED, reason)
    if is_blank:
        return rejected(ReplyState.EMPTY, "The reply holds no text.")
    return None


def sounds_like_refusal(masked: str) -> bool:
    """Whether plain text, its items and labels masked, declines to answer."""
    return _REFUSAL.search(masked) is not None
