import { fold } from '#contract/folding.ts'

/** Words in the headings of each language. Most of them are typical of one language. */
const WORDS: Record<string, string> = {
  en: 'date|description|amount|payee|balance|currency|status|details|merchant|debit|credit|withdrawal|withdrawals|deposit|deposits|reference|counterparty|memo|category|post|posted|posting|transaction',
  de: 'buchungstag|buchungsdatum|betrag|empfanger|auftraggeber|verwendungszweck|wahrung|buchungstext|soll|haben|umsatz|wertstellung|waehrung|begunstigter|beguenstigter|zahlungsempfanger',
  fr: 'libelle|montant|devise|solde|operation|valeur|depenses|recettes',
  es: 'fecha|concepto|importe|descripcion|moneda|cargo|abono|monto|divisa|ingresos|gastos',
  it: 'importo|causale|descrizione|dare|avere|entrate|uscite|esercente|operazione|contabile|divisa',
  pt: 'descricao|moeda|lancamento|historico|entradas|saidas|estabelecimento|valor',
  nl: 'omschrijving|bedrag|naam|tegenrekening|tegenpartij|mededelingen|muntsoort|munt|rekening',
  sv: 'belopp|bokforingsdag|avsandare|mottagare|rubrik|transaktionsdag|saldo|insattning|uttag',
  da: 'belob|tekst|dato|afstemt|bogfort',
  no: 'belop|beskrivelse|rentedato|inn|ut|bokfort',
  fi: 'maara|saaja|kirjauspaiva|selitys|viesti|arvopaiva',
  cs: 'castka|zustatek|protistrana|popis|mena|zauctovani',
  hu: 'osszeg|kozlemeny|egyenleg|datuma',
  ro: 'suma|descriere|sold|detalii',
  tr: 'tarih|aciklama|tutar|bakiye',
  ru: 'дата|сумма|описание|остаток|дебет|кредит',
  id: 'tanggal|keterangan|jumlah',
  pl: 'kwota|opis|odbiorca|nadawca|waluta|kontrahent|tytul|operacji|ksiegowania|wplywy|wydatki',
}
const CHINESE = /金额|摘要|日期|余额|币种|收入|支出|交易/
const JAPANESE = /日付|金額|残高|お引|お預|利用日|取引|摘要/
const ARABIC = /\p{Script=Arabic}{2}/u

/** Returns the language of some headings, or null if they match none. */
export function headingLanguage(headings: readonly string[]): string | null {
  const line = headings.map(fold).join(' ')
  if (ARABIC.test(line)) return 'ar'
  if (/[\u3040-\u30FF]/.test(line) || (JAPANESE.test(line) && /金額|残高|付|取/.test(line))) return 'ja'
  if (CHINESE.test(line)) return 'zh'
  const tokens = new Set(line.split(/[^\p{L}]+/u))
  const counts = Object.entries(WORDS).map(([language, words]) => ({
    language,
    count: words.split('|').filter((word) => tokens.has(word)).length,
  }))
  const [first] = counts.toSorted((a, b) => b.count - a.count)
  return first && first.count > 0 ? first.language : null
}
