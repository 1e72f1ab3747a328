import { expect, test, vi } from 'vitest'
import { ASK_INTENTS, type Intent, SHOP_KINDS } from '#contract/advisor-terms.ts'
import { type Language, LANGUAGE_CODES } from '#contract/languages.ts'
import { amountIn } from '#server/advisor/questions/amounts.ts'
import type { AdvisorAsk } from '#server/advisor/questions/selection.ts'
import { understand } from '#server/advisor/questions/understand.ts'
import { RELATIVE, SPENT_ON, WORDS, wordsIn } from '#server/advisor/questions/words.ts'

const NOW = new Date('2026-08-28T09:41:00Z')

const KNOWN_NAMES = { payees: [], goals: [] }
const asksOf = (question: string, language: string, before: AdvisorAsk | null = null) =>
  understand(question, { language, now: NOW, known: KNOWN_NAMES, before }).asks
/** Returns the only question of a message, or null if it is not understood. */
const onlyAskOf = (question: string, language: string): AdvisorAsk | null => asksOf(question, language)[0] ?? null
const intentOf = (question: string, language: string) => onlyAskOf(question, language)?.intent ?? null

/** The three suggestions first, then other phrasings by people. */
const QUESTIONS: Record<string, readonly (readonly [Intent, string])[]> = {
  en: [
    ['save_more', 'How can I save more?'],
    ['invest_tips', 'Investment tips'],
    ['reduce_spending', 'Reduce my spending'],
    ['balance', "What's my balance?"],
    ['spending', 'How much did I spend on food?'],
    ['compare', 'Compare this month with the one before'],
    ['income', 'What was my income in July?'],
    ['recurring', 'Which subscriptions do I have?'],
    ['forecast', 'What will be left over at the end of the month?'],
    ['goals', 'How are my savings goals doing?'],
    ['goal_what_if', 'What if I save $300 a month?'],
    ['largest', 'What was my biggest payment?'],
    ['recent', 'Show my latest transactions'],
    ['upcoming', 'What payments are coming up?'],
    ['afford', 'Can I afford a bike for $400?'],
    ['points', 'How many points do I have?'],
    ['credit', "What's my credit score?"],
    ['crypto', 'Tell me about bitcoin'],
    ['carbon', "What's my carbon footprint?"],
    ['cards', 'Please freeze my card'],
    ['send', 'Send $50 to Emma'],
    ['add_money', 'I want to top up'],
    ['budget', 'Help me make a budget'],
    ['refused', 'Do I have to pay tax on this?'],
    ['help', 'What can you do?'],
    ['thanks', 'Thank you!'],
  ],
  es: [
    ['save_more', '¿Cómo puedo ahorrar más?'],
    ['invest_tips', 'Consejos de inversión'],
    ['reduce_spending', 'Reducir mis gastos'],
    ['balance', '¿Cuál es mi saldo?'],
    ['spending', '¿Cuánto he gastado en comida?'],
    ['recurring', '¿Qué suscripciones tengo?'],
    ['forecast', '¿Cuánto me quedará a fin de mes?'],
    ['goal_what_if', '¿Qué pasa si ahorro 300 $ al mes?'],
    ['largest', '¿Cuál fue mi pago más grande?'],
    ['income', '¿Cuáles son mis ingresos?'],
  ],
  fr: [
    ['save_more', 'Comment épargner davantage ?'],
    ['invest_tips', 'Conseils en investissement'],
    ['reduce_spending', 'Réduire mes dépenses'],
    ['balance', 'Quel est mon solde ?'],
    ['spending', 'Combien ai-je dépensé en courses ?'],
    ['recurring', 'Quels sont mes abonnements ?'],
    ['forecast', 'Combien me restera-t-il à la fin du mois ?'],
    ['goal_what_if', "Et si j'épargne 300 $ par mois ?"],
    ['largest', 'Quel est mon plus gros paiement ?'],
    ['income', 'Quels sont mes revenus ?'],
  ],
  de: [
    ['save_more', 'Wie kann ich mehr sparen?'],
    ['invest_tips', 'Anlagetipps'],
    ['reduce_spending', 'Meine Ausgaben senken'],
    ['balance', 'Wie ist mein Kontostand?'],
    ['spending', 'Wie viel habe ich für Essen ausgegeben?'],
    ['recurring', 'Welche Abos habe ich?'],
    ['forecast', 'Wie viel bleibt am Monatsende übrig?'],
    ['goal_what_if', 'Was wäre, wenn ich 300 $ im Monat spare?'],
    ['largest', 'Was war meine größte Zahlung?'],
    ['income', 'Wie hoch sind meine Einnahmen?'],
  ],
  it: [
    ['save_more', 'Come posso risparmiare di più?'],
    ['invest_tips', 'Consigli di investimento'],
    ['reduce_spending', 'Ridurre le mie spese'],
    ['balance', 'Qual è il mio saldo?'],
    ['spending', 'Quanto ho speso per il cibo?'],
    ['recurring', 'Quali abbonamenti ho?'],
    ['forecast', 'Quanto mi resterà a fine mese?'],
    ['goal_what_if', 'Se risparmio 300 $ al mese, quando raggiungo il mio obiettivo?'],
    ['largest', 'Qual è stato il pagamento più grande?'],
    ['income', 'Quali sono le mie entrate?'],
  ],
  pt: [
    ['save_more', 'Como posso economizar mais?'],
    ['invest_tips', 'Dicas de investimento'],
    ['reduce_spending', 'Reduzir meus gastos'],
    ['balance', 'Qual é o meu saldo?'],
    ['spending', 'Quanto gastei com comida?'],
    ['recurring', 'Quais assinaturas eu tenho?'],
    ['forecast', 'Quanto vai sobrar no fim do mês?'],
    ['goal_what_if', 'E se eu guardar 300 $ por mês?'],
    ['largest', 'Qual foi meu maior pagamento?'],
    ['income', 'Qual foi a minha renda?'],
  ],
  nl: [
    ['save_more', 'Hoe kan ik meer sparen?'],
    ['invest_tips', 'Tips voor beleggen'],
    ['reduce_spending', 'Mijn uitgaven verlagen'],
    ['balance', 'Wat is mijn saldo?'],
    ['spending', 'Hoeveel heb ik uitgegeven aan eten?'],
    ['recurring', 'Welke abonnementen heb ik?'],
    ['forecast', 'Wat houd ik over aan het eind van de maand?'],
    ['goal_what_if', 'Wat als ik 300 $ per maand spaar?'],
    ['largest', 'Wat was mijn grootste betaling?'],
    ['income', 'Wat is mijn inkomen?'],
  ],
  pl: [
    ['save_more', 'Jak mogę więcej oszczędzać?'],
    ['invest_tips', 'Porady inwestycyjne'],
    ['reduce_spending', 'Zmniejszyć wydatki'],
    ['balance', 'Jakie jest moje saldo?'],
    ['spending', 'Ile wydałem na jedzenie?'],
    ['recurring', 'Jakie mam subskrypcje?'],
    ['forecast', 'Ile mi zostanie na koniec miesiąca?'],
    ['goal_what_if', 'Co jeśli odłożę 300 $ miesięcznie?'],
    ['largest', 'Jaka była największa płatność?'],
    ['income', 'Jakie mam dochody?'],
  ],
  zh: [
    ['save_more', '怎样存更多钱？'],
    ['invest_tips', '投资建议'],
    ['reduce_spending', '减少我的支出'],
    ['balance', '我的余额是多少？'],
    ['spending', '我在餐饮上花了多少钱？'],
    ['recurring', '我有哪些订阅？'],
    ['forecast', '月底还剩多少？'],
    ['goal_what_if', '如果我每月存300美元呢？'],
    ['largest', '最大的一笔付款是什么？'],
    ['income', '我的收入是多少？'],
  ],
  ja: [
    ['save_more', 'もっと貯金するには？'],
    ['invest_tips', '投資のヒント'],
    ['reduce_spending', '支出を減らしたい'],
    ['balance', '残高はいくら？'],
    ['spending', '食費にいくら使った？'],
    ['recurring', 'どんなサブスクがある？'],
    ['forecast', '月末の見込みは？'],
    ['goal_what_if', 'もし毎月300ドル貯金したら？'],
    ['largest', '一番大きい支払いは？'],
    ['income', '収入はいくら？'],
  ],
  ar: [
    ['save_more', 'كيف يمكنني توفير المزيد؟'],
    ['invest_tips', 'نصائح استثمارية'],
    ['reduce_spending', 'خفض إنفاقي'],
    ['balance', 'ما هو رصيدي؟'],
    ['spending', 'كم أنفقت على الطعام؟'],
    ['recurring', 'ما هي اشتراكاتي؟'],
    ['forecast', 'كم سيتبقى في نهاية الشهر؟'],
    ['goal_what_if', 'ماذا لو ادخرت 300 دولار شهريًا؟'],
    ['largest', 'ما هي أكبر دفعة؟'],
    ['income', 'كم دخلي؟'],
  ],
}

test.each(Object.keys(QUESTIONS))('understands questions in %s', (language) => {
  const readIntents = (QUESTIONS[language] ?? []).map(([, question]) => [intentOf(question, language), question])
  expect(readIntents).toEqual(QUESTIONS[language])
})

test('understands the same questions in every language of the bank', () => {
  const readQuestions = Object.values(QUESTIONS).flatMap((questionTexts) =>
    questionTexts.slice(0, 3).map(([intent, question]) => [intent, intentOf(question, 'en'), question]),
  )
  for (const [intent, understood, question] of readQuestions) expect([understood, question]).toEqual([intent, question])
})

test('every language has words for each question', () => {
  expect(Object.keys(WORDS).toSorted()).toEqual(Object.keys(QUESTIONS).toSorted())
  for (const { intents, categories, kinds, periods, articles, thousand: _, ...otherWords } of Object.values(WORDS)) {
    for (const intent of ASK_INTENTS)
      if (intent !== 'how_to') expect(wordsIn(intents[intent]).length, intent).toBeGreaterThan(1)
    for (const category of SPENT_ON) expect(wordsIn(categories[category]).length, category).toBeGreaterThan(1)
    for (const kind of SHOP_KINDS) expect(wordsIn(kinds[kind]).length, kind).toBeGreaterThan(0)
    for (const time of RELATIVE) expect(wordsIn(periods[time]).length, time).toBeGreaterThan(0)
    expect(Object.keys(articles).toSorted()).toEqual(Object.keys(WORDS.en.articles).toSorted())
    for (const words of Object.values(otherWords)) expect(wordsIn(words).length).toBeGreaterThan(0)
  }
})

test('accents, capitals, full-width letters and forms of Arabic letters make no difference', () => {
  expect(intentOf('COMO PUEDO AHORRAR MAS', 'es')).toBe('save_more')
  expect(intentOf('ｈｏｗ ｃａｎ ｉ ｓａｖｅ', 'en')).toBe('save_more')
  expect(intentOf('ما هو رصيدى', 'ar')).toBe('balance')
  expect(onlyAskOf('كم انفقت علي الطعام', 'ar')).toMatchObject({ intent: 'spending', category: 'food' })
})

test('a text without any known word is not understood', () => {
  for (const text of ['', '?', 'xyzzy', '🙂🙂', '\u202Eabc', 'a'.repeat(500)]) {
    expect(asksOf(text, 'en'), text).toEqual([])
  }
})

test('every question takes little time, including the first of its kind and the longest', async () => {
  vi.resetModules()
  const { understand: anew } = await import('#server/advisor/questions/understand.ts')
  // The processor time of this thread only, independent of the computer's other load.
  const { user } = process.threadCpuUsage()
  for (const text of ['xyzzy', '🙂🙂', 'spent at '.padEnd(500, 'july '), 'spent at '.padEnd(500, 'june ')])
    anew(text, { language: 'en', now: NOW, known: KNOWN_NAMES, before: null })
  expect(process.threadCpuUsage().user - user).toBeLessThan(600_000)
})

test('finds the named category and month', () => {
  expect(onlyAskOf('How much did I spend on transport last month?', 'en')).toMatchObject({
    category: 'transport',
    period: '2026-07',
  })
  const periodOf = (question: string, language: string) => onlyAskOf(question, language)?.period
  expect(periodOf('Spending in June', 'en')).toBe('2026-06')
  expect(periodOf('What may I spend?', 'en')).toBeNull()
  expect(periodOf('Wie viel habe ich im März ausgegeben?', 'de')).toBe('2026-03')
  expect(periodOf('1月の支出', 'ja')).toBe('2026-01')
  expect(periodOf('11月の支出', 'ja')).toBe('2025-11')
  // The same month as a past and as a future period.
  expect(periodOf('How much did I spend in October?', 'en')).toBe('2025-10')
  expect(periodOf('Can I afford $600 in October?', 'en')).toBe('2026-10')
  expect(periodOf('How much did I spend on the 14th of July?', 'en')).toBe('2026-07-14')
  expect(periodOf('How much did I spend yesterday?', 'en')).toBe('2026-08-27')
  expect(periodOf('How much did I spend this week?', 'en')).toBe('2026-08-24/2026-08-30')
})

test('reads amounts with the marks and digits of each language', () => {
  const amounts: [string, string, number | null][] = [
    ['en', 'if I save $1,250.50 a month', 1_250_50],
    ['de', 'wenn ich 1.250,50 $ spare', 1_250_50],
    ['fr', 'si j’épargne 1 250,50 $', 1_250_50],
    ['ar', 'ماذا لو ادخرت ٣٠٠ دولار', 300_00],
    ['zh', '如果我每月存３００美元', 300_00],
    ['zh', '存1万美元', 10_000_00],
    ['en', 'save 2k', 2_000_00],
    ['en', 'save 10% more', null],
    ['en', 'save $0', null],
    ['en', 'save 99999999999999999999', null],
    ['en', 'save more', null],
    ['en', 'save $-5 a month', -5_00],
    ['en', 'save -$5 a month', -5_00],
    ['de', 'spare \u22125 $ im Monat', -5_00],
    ['en', 'save 10-20 a month', 10_00],
    ['en', 'save - 50 a month', 50_00],
    ['en', 'save 12,50 a month', 12_50],
    ['de', 'spare 1.000 $ im Monat', 1_000_00],
    // The advisor asks for an ambiguous amount, and no part of a text counts as an amount.
    ['en', 'Can I afford 0,500?', null],
    ['en', 'Can I afford 1.000?', null],
    ['de', 'Kann ich mir 1,000 $ leisten, oder 20 $?', null],
    ['en', 'Can I afford 1e3?', null],
    ['fr', 'Puis-je me permettre 0 500 $ ?', null],
    ['en', 'Can I afford 10 thousand dollars?', null],
    ['en', 'Can I afford $2 million, or $5m?', null],
    ['en', 'Can I afford 2 mil?', null],
    ['de', 'Kann ich mir 2 tys. leisten?', null],
    ['es', '¿Puedo gastar 2 mil?', 2_000_00],
    ['pl', 'Czy stać mnie na 2 tys. dolarów?', 2_000_00],
    ['en', 'Can I afford 50 cents?', null],
    ['es', '¿Puedo gastar 2 mil millones?', null],
    ['fr', 'Puis-je dépenser 5 mille dollars ?', null],
    ['de', 'Kann ich mir 2 Mio. Dollar leisten?', null],
    ['it', 'Posso spendere 5 mila dollari?', null],
    ['pt', 'Posso gastar 2 milhões?', null],
    ['nl', 'Kan ik 5 duizend uitgeven?', null],
    ['pl', 'Czy stać mnie na 5 tysięcy?', null],
    ['zh', '我能花3千万吗', null],
    ['ja', '1万5千ドル使える？', null],
    ['ar', 'هل أستطيع إنفاق 5 ملايين', null],
  ]
  for (const [language, question, minor] of amounts)
    expect([question, amountIn(question, language)]).toEqual([question, minor])
})

const IN_2020: Record<Language, string> = {
  en: 'How much did I spend in February 2020?',
  es: '¿Cuánto gasté en febrero de 2020?',
  fr: 'Combien ai-je dépensé en février 2020 ?',
  de: 'Wie viel habe ich im Februar 2020 ausgegeben?',
  it: 'Quanto ho speso a febbraio 2020?',
  pt: 'Quanto gastei em fevereiro de 2020?',
  nl: 'Hoeveel heb ik uitgegeven in februari 2020?',
  pl: 'Ile wydałem w lutym 2020?',
  zh: '2020年2月我花了多少钱？',
  ja: '2020年2月にいくら使った？',
  ar: 'كم أنفقت في فبراير 2020؟',
}
const LAST_YEAR: Record<Language, string> = {
  en: 'How much did I spend last year?',
  es: '¿Cuánto gasté el año pasado?',
  fr: "Combien ai-je dépensé l'année dernière ?",
  de: 'Wie viel habe ich letztes Jahr ausgegeben?',
  it: "Quanto ho speso l'anno scorso?",
  pt: 'Quanto gastei no ano passado?',
  nl: 'Hoeveel heb ik vorig jaar uitgegeven?',
  pl: 'Ile wydałem w zeszłym roku?',
  zh: '我去年花了多少钱？',
  ja: '去年いくら使った？',
  ar: 'كم أنفقت السنة الماضية؟',
}
const AT_FOO_BAR: Record<Language, string> = {
  en: 'How much did I spend at Foo Bar last month?',
  es: '¿Cuánto gasté en Foo Bar?',
  fr: 'Combien ai-je dépensé chez Foo Bar ?',
  de: 'Wie viel habe ich bei Foo Bar ausgegeben?',
  it: 'Quanto ho speso da Foo Bar?',
  pt: 'Quanto gastei no Foo Bar?',
  nl: 'Hoeveel heb ik uitgegeven bij Foo Bar?',
  pl: 'Ile wydałem w Foo Bar?',
  zh: '我在Foo Bar花了多少钱？',
  ja: 'Foo Barでいくら使った？',
  ar: 'كم أنفقت في Foo Bar؟',
}
const AT_NOBODY: Record<Language, readonly string[]> = {
  en: [
    'How much did I spend on food in all?',
    'What did I spend on average at the moment?',
    'What did I spend in June on this card?',
  ],
  es: ['¿Cuánto gasté en total?', '¿Cuánto gasté en junio?', '¿Cuánto gasté en este mes?'],
  fr: [
    'Combien ai-je dépensé en tout ?',
    'Combien ai-je dépensé en juin ?',
    'Combien ai-je dépensé au total ce mois ?',
  ],
  de: ['Wie viel habe ich für alles ausgegeben?', 'Wie viel habe ich an diesem Monat ausgegeben?'],
  it: ['Quanto ho speso in totale?', 'Quanto ho speso in giugno?', 'Quanto ho speso al mese?'],
  pt: ['Quanto gastei no total?', 'Quanto gastei em junho?', 'Quanto gastei no mês?'],
  nl: ['Hoeveel heb ik aan alles uitgegeven deze maand?', 'Hoeveel gaf ik uit voor het eten? Ik heb het uitgegeven.'],
  pl: ['Ile wydałem w tym miesiącu?', 'Ile wydałem w czerwcu?', 'Ile wydałem na wszystko?'],
  zh: ['我在这个月花了多少钱？', '我在餐饮上花了多少钱？', '我在6月花了多少钱？'],
  ja: ['今月はいくら使った？', '食費でいくら使った？', '合計でいくら使った？'],
  ar: ['كم أنفقت في هذا الشهر؟', 'كم أنفقت في المجموع؟', 'كم أنفقت في يونيو؟'],
}

test.each(LANGUAGE_CODES)('%s: finds the year of a month, other periods, and the payee', (language) => {
  const readAsk = (question: string) => onlyAskOf(question, language)
  expect(readAsk(IN_2020[language])).toMatchObject({ intent: 'spending', period: '2020-02', name: null })
  expect(readAsk(LAST_YEAR[language])).toMatchObject({ intent: 'spending', period: '2025', name: null })
  expect(readAsk(AT_FOO_BAR[language])).toMatchObject({ intent: 'spending', name: 'Foo Bar' })
  for (const question of AT_NOBODY[language])
    expect([question, readAsk(question)?.name ?? null]).toEqual([question, null])
})

test('a future month is not read as a past one, and two periods are not understood', () => {
  for (const question of [
    'What did I spend in December 2026?',
    'Spending last month 2020',
    'What did I spend between June and August?',
    'What did I spend since Christmas?',
    'How much did I spend in the last 3 months?',
  ])
    expect([question, asksOf(question, 'en')]).toEqual([question, []])
  expect(onlyAskOf('What did I spend in 2019?', 'en')).toMatchObject({ period: '2019' })
  expect(onlyAskOf('What did I spend in May 2026?', 'en')).toMatchObject({ period: '2026-05' })
  expect(onlyAskOf('十二月花了多少钱', 'zh')).toMatchObject({ period: '2025-12' })
})

test('a question is understood only if the reply has a place for everything it names', () => {
  for (const question of [
    'Did I spend more than $500 on food?',
    'What was my balance in June?',
    'How many points did I get in July?',
    'How much did I spend on food plus shopping?',
    'Why was I charged?',
    'Can I afford -$5?',
  ])
    expect([question, asksOf(question, 'en')]).toEqual([question, []])
})

test.each([
  ['en', 'Why was my card declined?'],
  ['en', "What's the fee for sending money?"],
  ['en', 'Cancel my subscription to Spotify'],
  ['en', 'How much did I spend with my virtual card?'],
  ['en', 'My last payments by card'],
  ['de', 'Warum wurde meine Karte abgelehnt?'],
  ['de', 'Wie hoch ist die Gebühr für Überweisungen?'],
  ['es', '¿Por qué rechazaron mi tarjeta?'],
  ['es', 'Cancela mi suscripción a Spotify'],
  ['fr', 'Quels sont les frais d’un virement ?'],
  ['fr', 'Résilier mon abonnement'],
  ['it', 'Quali commissioni ha un bonifico?'],
  ['nl', 'Waarom is mijn kaart geweigerd?'],
  ['nl', 'Zeg mijn abonnement op '],
  ['pl', 'Jaka jest prowizja za przelew?'],
  ['pt', 'Por que meu cartão foi recusado?'],
  ['ja', '送金の手数料はいくらですか'],
  ['ja', 'カードで今月いくら使った？'],
  ['zh', '转账手续费是多少？'],
  ['ar', 'لماذا تم رفض بطاقتي؟'],
])('words of other subjects do not make a question: %s, %s', (language, question) => {
  expect(asksOf(question, language)).toEqual([])
})

test('understands several questions in a message, and questions that continue the previous one', () => {
  const food = onlyAskOf('How much did I spend on food in July?', 'en')
  expect(asksOf('and in June?', 'en', food)).toMatchObject([{ category: 'food', period: '2026-06' }])
  expect(asksOf('and for shopping?', 'en', food)).toMatchObject([{ category: 'shopping', period: '2026-07' }])
  expect(asksOf('and in June?', 'en')).toEqual([])
  expect(asksOf('How much did I spend on food in June and in July?', 'en')).toMatchObject([
    { category: 'food', period: '2026-06' },
    { category: 'food', period: '2026-07' },
  ])
  expect(asksOf("What's my balance? And which subscriptions do I have?", 'en').map(({ intent }) => intent)).toEqual([
    'balance',
    'recurring',
  ])
})

test.each([
  ['en', 'When will I reach my goal in 2027?', null],
  ['en', 'What if I save for 6 months?', null],
  ['en', 'What if I save $2000 a month?', 2_000_00],
  ['en', 'What if I save 2,000 a month for 3 years?', 2_000_00],
  ['en', 'Can I afford 2500?', 2_500_00],
  ['de', 'Was wäre, wenn ich 6 Monate lang 300 $ spare?', 300_00],
  ['es', '¿Y si ahorro 300 dólares durante 6 meses?', 300_00],
  ['fr', 'Et si pendant 6 mois j’épargne 300 $ ?', 300_00],
  ['it', 'Se per 6 mesi risparmio 300 $?', 300_00],
  ['pt', 'Se durante 6 meses eu poupar 300 mil?', 300_000_00],
  ['nl', 'Als ik 6 maanden lang $ 300 spaar?', 300_00],
  ['pl', 'Jeśli przez 6 miesięcy odłożę 300 USD?', 300_00],
  ['zh', '如果6个月每月存300美元？', 300_00],
  ['ja', '6か月間毎月300ドル貯金したら？', 300_00],
  ['ar', 'ماذا لو ادخرت لمدة 6 أشهر 300 دولار؟', 300_00],
] as const)('%s: in "%s" times and years are not amounts', (language, question, minor) => {
  expect(amountIn(question, language)).toBe(minor)
})
