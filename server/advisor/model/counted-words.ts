import { type Language, LANGUAGE_CODES } from '#contract/languages.ts'
import type { Counted } from '#server/advisor/model/facts.ts'
import { IS_UNSPACED, normalised } from '#server/advisor/questions/normalise.ts'

/**
 * What a language writes behind a number to say what it counts, as patterns of whole words, in small letters without accents, as
 * `normalised` writes them.
 */
type CountedWords = Readonly<Record<Counted, string>> & {
  /** What may stand between the number and the payments. */
  kinds: string
}

/** A language that is new to the bank has to say these here. */
const COUNTED: Readonly<Record<Language, CountedWords>> = {
  en: {
    payments: 'payments?|subscriptions?|transactions?|debits?|of (?:them|these|those)',
    kinds: 'recurring|repeating|regular|monthly|active|different|separate|such|fixed|steady|ongoing',
    months: 'months?',
  },
  es: {
    payments: 'pagos?|suscripcion(?:es)?|cargos?|operacion(?:es)?|transaccion(?:es)?|de ell[oa]s',
    kinds: 'pequen[oa]s|distint[oa]s|diferentes|divers[oa]s',
    months: 'mes(?:es)?',
  },
  fr: {
    payments: "paiements?|abonnements?|prelevements?|operations?|transactions?|d'entre (?:eux|elles)",
    kinds: 'petits|differents|autres',
    months: 'mois',
  },
  de: {
    payments: '\\p{L}*zahlung(?:en)?|abos?|abonnements?|\\p{L}*buchung(?:en)?|lastschrift(?:en)?|dauerauftrage?|davon',
    kinds: '(?:wiederkehrend|regelmassig|monatlich|laufend|aktiv|verschieden|solch|fest)e[nr]?',
    months: 'monat(?:e|en|s)?',
  },
  it: {
    payments: 'pagament[oi]|abbonament[oi]|addebit[oi]|operazion[ei]|transazion[ei]|di ess[ie]',
    kinds: 'piccol[ie]|divers[ie]|altr[ie]',
    months: 'mes[ei]',
  },
  pt: {
    payments:
      'pagamentos?|assinaturas?|subscric(?:ao|oes)|debitos?|cobrancas?|operac(?:ao|oes)|transac(?:ao|oes)|del[ea]s',
    kinds: 'pequen[oa]s|diferentes|outr[oa]s',
    months: 'mes(?:es)?',
  },
  nl: {
    payments: '\\p{L}*betaling(?:en)?|abonnement(?:en)?|afschrijving(?:en)?|transacties?|ervan',
    kinds: 'terugkerende|vaste|regelmatige|maandelijkse|actieve|verschillende|lopende',
    months: 'maand(?:en)?',
  },
  pl: {
    payments: 'platnosc(?:i|iami|iach)?|subskrypcj\\p{L}*|abonament\\p{L}*|transakcj\\p{L}*|oplat\\p{L}*|z nich',
    kinds:
      'powtarzajac\\p{L}*(?: sie)?|stal(?:e|ych)|regularn(?:e|ych)|cykliczn(?:e|ych)|miesieczn(?:e|ych)|aktywn(?:e|ych)|roznych',
    months: 'miesi(?:ac(?:e|ach|ami|om)?|aca|ecy)',
  },
  zh: { payments: '[笔筆项項]|次(?:付款|支付)|[个個](?:订阅|定期|固定|付款|自动)', kinds: '', months: '[个個]月' },
  ja: { payments: '[件つ]|個の|本の', kinds: '', months: '[かヶカヵケ]月|箇月' },
  ar: {
    payments: 'مدفوعات|دفعات|دفعه|اشتراكات|اشتراكا?|عمليات|معاملات|منها',
    kinds: '',
    months: 'اشهر|شهرا?|شهور',
  },
}

function finderOf(counted: Counted): RegExp {
  const patterns = LANGUAGE_CODES.map((language) => {
    const { [counted]: words, kinds } = COUNTED[language]
    if (IS_UNSPACED.test(words)) return `(?:${words})`
    const between = counted === 'payments' && kinds !== '' ? `(?:(?:${kinds})[ -]){0,2}` : ''
    return String.raw`${between}(?:${words})(?!\p{L})`
  })
  return new RegExp(`^-?(?:${patterns.join('|')})`, 'u')
}

const FINDERS: Readonly<Record<Counted, RegExp>> = { payments: finderOf('payments'), months: finderOf('months') }

/** Nothing that is counted is called by more letters. */
const AROUND = 60

/** Whether what stands after a number says that so many of these are meant: a number alone may as well be money. */
export const countsThese = (counted: Counted, after: string): boolean =>
  FINDERS[counted].test(normalised(after.slice(0, AROUND)))
