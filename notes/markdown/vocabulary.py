"""The words that the site itself puts into a note, in the note's own language.

They are stored with the note and read with it, so the language of the page around it plays no
part. A language that is not here has the English ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One language's words; a `%` is the place of the number where it doesn't stand behind."""

    figure: str = "Figure"
    table: str = "Table"
    equation: str = "Equation"
    section: str = "Section"
    code: str = "Code"
    references: str = "References"
    footnotes: str = "Footnotes"
    back: str = "Back to the text"
    done: str = "Done"
    open: str = "Open"
    note: str = "Note"
    tip: str = "Tip"
    important: str = "Important"
    warning: str = "Warning"
    caution: str = "Caution"
    last: str = " and "  # between the last two authors
    others: str = "et al."
    undated: str = "n.d."

    def numbered(self, kind: str, number: str) -> str:
        """`Figure 1`, `第 2 节`."""
        word: str = getattr(self, kind)
        return word.replace("%", number) if "%" in word else f"{word} {number}"


ENGLISH = Vocabulary()
# In the order of the fields.
ROWS = {
    "de": "Abbildung|Tabelle|Gleichung|Abschnitt|Code|Literatur|Fußnoten|Zurück zum Text"
    "|Erledigt|Offen|Hinweis|Tipp|Wichtig|Warnung|Vorsicht| und |et al.|o. J.",
    "fr": "Figure|Tableau|Équation|Section|Code|Références|Notes de bas de page|Retour au texte"
    "|Fait|À faire|Note|Astuce|Important|Avertissement|Attention| et |et al.|s. d.",
    "es": "Figura|Tabla|Ecuación|Sección|Código|Referencias|Notas al pie|Volver al texto"
    "|Hecho|Pendiente|Nota|Consejo|Importante|Advertencia|Precaución| y |et al.|s. f.",
    "it": "Figura|Tabella|Equazione|Sezione|Codice|Bibliografia|Note|Torna al testo"
    "|Fatto|Da fare|Nota|Suggerimento|Importante|Avvertenza|Attenzione| e |et al.|s.d.",
    "pt": "Figura|Tabela|Equação|Seção|Código|Referências|Notas de rodapé|Voltar ao texto"
    "|Feito|Pendente|Nota|Dica|Importante|Aviso|Cuidado| e |et al.|s.d.",
    "nl": "Figuur|Tabel|Vergelijking|Paragraaf|Code|Literatuur|Voetnoten|Terug naar de tekst"
    "|Gedaan|Open|Opmerking|Tip|Belangrijk|Waarschuwing|Let op| en |et al.|z.d.",
    "pl": "Rysunek|Tabela|Równanie|Rozdział|Kod|Bibliografia|Przypisy|Powrót do tekstu"
    "|Zrobione|Do zrobienia|Adnotacja|Wskazówka|Ważne|Ostrzeżenie|Przestroga| i |i in.|b.d.",
    "ru": "Рисунок|Таблица|Уравнение|Раздел|Код|Литература|Сноски|Назад к тексту"
    "|Сделано|Не сделано|Примечание|Совет|Важно|Предупреждение|Осторожно| и |и др.|б. г.",
    "uk": "Рисунок|Таблиця|Рівняння|Розділ|Код|Література|Виноски|Назад до тексту"
    "|Зроблено|Не зроблено|Примітка|Порада|Важливо|Попередження|Обережно| і |та ін.|б. р.",
    "zh": "图|表|公式|第 % 节|代码|参考文献|脚注|返回正文"
    "|已完成|未完成|注记|提示|重要|警告|注意|、|等|无日期",
    "zh-hant": "圖|表|公式|第 % 節|程式碼|參考文獻|註腳|返回正文"
    "|已完成|未完成|註記|提示|重要|警告|注意|、|等|無日期",
    "ja": "図|表|式|第 % 節|コード|参考文献|脚注|本文に戻る"
    "|完了|未完了|注記|ヒント|重要|警告|注意|、|ほか|日付なし",
    "ko": "그림|표|식|%절|코드|참고문헌|각주|본문으로 돌아가기"
    "|완료|미완료|참고|팁|중요|경고|주의|, | 외|날짜 없음",
    "ar": "الشكل|الجدول|المعادلة|القسم|الشيفرة|المراجع|الحواشي|العودة إلى النص"
    "|تم|لم يتم|ملاحظة|نصيحة|مهم|تحذير|تنبيه| و|وآخرون|د.ت.",
    "he": "איור|טבלה|משוואה|סעיף|קוד|מקורות|הערות שוליים|חזרה לטקסט"
    "|בוצע|טרם בוצע|הערה|טיפ|חשוב|אזהרה|זהירות| ו־|ואחרים|ללא תאריך",
}  # fmt: skip
VOCABULARIES = {tag: Vocabulary(*row.split("|")) for tag, row in ROWS.items()}
TRADITIONAL = frozenset({"hant", "hk", "mo", "tw"})


@lru_cache(maxsize=64)
def vocabulary_of(language: str) -> Vocabulary:
    """The words for a language tag: those of `de` for `de-AT`, of `zh-Hant` for `zh-TW`."""
    return best(VOCABULARIES, language, ENGLISH)


def best[Choice](choices: Mapping[str, Choice], language: str, other: Choice) -> Choice:
    """What a language tag chooses: by the whole of it, by its script, by its first part."""
    tag = language.lower().replace("_", "-")
    first, *rest = tag.split("-")
    if first == "zh" and "hans" not in rest and TRADITIONAL & set(rest):
        tag = "zh-hant"
    return choices.get(tag) or choices.get(first) or other
