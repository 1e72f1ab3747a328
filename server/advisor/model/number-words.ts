import { type Language, LANGUAGE_CODES, languageOf } from '#contract/languages.ts'
import { UNIT, UNIT_AFTER } from '#server/advisor/model/unit-words.ts'
import { IS_UNSPACED } from '#server/advisor/questions/normalise.ts'

/**
 * The numbers of a language in words, each as a pattern of a whole word or of several, in small letters without accents, as
 * `normalised` writes them.
 */
type NumberWords = {
  /** Numbers and nothing else, in whichever language a reply is. */
  always: readonly string[]
  /** Numbers in a reply of this language alone: in another one they are ordinary words, as 'due' and 'once' are. */
  inItsOwn: readonly string[]
  /** What has such a word in it and is no number, in a reply of this language. */
  ordinary: readonly string[]
}

/** So much of a whole, or so many times, that only its neighbour tells from an ordinary word: 'a third', 'one dollar'. */
const withNeighbour = (before: string, after: string) => `(?:${before}) (?:${after})`

/** What German builds numbers from: 'fünfundzwanzig', 'zweihunderttausend', 'Zehntausende'. */
const GERMAN_TENS = 'zwanzig|dreissig|vierzig|funfzig|sechzig|siebzig|achtzig|neunzig'
const GERMAN = `ein|zwei|zwo|drei|vier|funf|sechs?|sieb(?:en)?|acht|neun|zehn|elf|zwolf|und|${GERMAN_TENS}|hundert|tausend`
const GERMAN_END = '(?:e|en|er|ern|s|mal|fach\\p{L}*|s?tel[sn]?|einhalb|stellig\\p{L}*)?'
/** What Dutch does. */
const DUTCH = 'een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|der|veer|en|twin|tach|tig|honderd|duizend'
const DUTCH_END = '(?:en|ste|tal|tallen|maal|keer|voud\\p{L}*|tjes?)?'
/** What Italian does. */
const ITALIAN_TENS = 'venti?|trenta?|quaranta?|cinquanta?|sessanta?|settanta?|ottanta?|novanta?'
const ITALIAN_ONES = 'uno?|due|tre|quattro|cinque|sei|sette|otto|nove'
/** What people pay, own and count, which makes a number of a word before it that is mostly something else. */
const FRENCH_COUNTED =
  'dollars?|pour cent|cents?|mille|millions?|mois|jours|semaines|ans|fois|points|paiements?|abonnements?|objectifs?|operations?|virements?|achats?'
const ITALIAN_COUNTED =
  'dollar[oi]|per cento|mila|milioni|mesi|giorni|settimane|anni|volte|punti|pagamenti|abbonamenti|obiettivi|operazioni|bonifici|acquisti|spese'

/** A language that is new to the bank has to say its numbers here. */
const NUMBERS: Readonly<Record<Language, NumberWords>> = {
  en: {
    always: [
      'zero(?:e?s|ed)?|nought|naught|zilch|two|three|five|seven|eight|nine|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen',
      '(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)(?:y|ies|ieths?)',
      '\\p{L}*(?:hundred|thousand|million|billion|trillion)(?:s|ths?|fold)?|fourt(?:y|ies)|(?:two|three|four|five|six|seven|eight|nine|ten)fold',
      'half|halves|halv(?:e|ed|ing)|halfway|twice|thrice|dozens?|thirds|fourths|fifths|sixths|sevenths|eighths|ninths|tenths',
      '(?:tripl|trebl|quadrupl|quintupl)(?:e[sd]?|ing)',
      withNeighbour('an?|one', 'third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twentieth|hundredth'),
      withNeighbour('a|one|single', 'dollar|buck|cent|penny|dime|nickel|percent|per cent|grand|fiver|tenner'),
      'a couple of|a pair of|scores of|a score of|quarters?',
    ],
    inItsOwn: ['four|six|ten|nil|null|tens|doubl(?:e[sd]?|ing)'],
    ordinary: ['doubl(?:e|ed|ing)[ -]check\\p{L}*', 'once or twice', '(?:this|last|next|per|each|every) quarter'],
  },
  es: {
    always: [
      'ceros?|cuatro|cinco|seis|ocho|nueve|diez|trece|catorce|dieci(?:seis|siete|ocho|nueve)|veint(?:e|i\\p{L}+)',
      'treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien(?:to)?|cient[oa]s',
      '(?:dos|tres|cuatro|quin|seis|sete|ocho|nove)c?ient[oa]s|mil|mill(?:on|ones|ar|ares|onesimas?)|billon(?:es)?|mil millones',
      'mitad(?:es)?|dupli(?:c|qu)\\p{L}*|tripli(?:c|qu)\\p{L}*|(?:cuadru|quintu)pl\\p{L}*|doc(?:en)as?|decenas?|(?:vein|trein|cuaren|cincuen)tenas?',
      'centen(?:ar|ares|as?)|terci(?:os)|(?:tercera|cuarta|quinta|sexta|decima) parte|un par de',
      withNeighbour('un', 'tercio|cuarto|quinto|sexto|septimo|octavo|decimo|dolar|centavo|centimo'),
      'un[oa]? por ciento|medio (?:dolar|millon|millar|centenar)|y medi[oa]',
    ],
    inItsOwn: [
      'dos|tres|siete|once|doce|quince|miles|dobl(?:e|es|o|a|an|ar|ado|aron|aste|ara|aria)|triples?|cuartos|quintos',
    ],
    ordinary: ['(?<=\\d ?)por ?cien(?:to)?', 'tienen'],
  },
  fr: {
    always: [
      'zeros?|deux|trois|quatre|cinq|six|huit|dix|douze|treize|quatorze|quinze|vingts?|trente|quarante|cinquante|soixante',
      'septante|huitante|octante|nonante|mille|millions?|milliards?|milliers?|moities?|demi(?:e|es|s)?',
      '(?:diz|douz|quinz|vingt|trent|quarant|cinquant|soixant|cent)aines?',
      '(?:doubl|tripl|quadrupl|quintupl)(?:er|ee?s?|ent|ait|aient|ant|era|erait|ement)',
      withNeighbour('un', 'tiers|quart|cinquieme|sixieme|septieme|huitieme|neuvieme|dixieme|centieme'),
      'trois quarts|un (?:seul )?(?:dollar|cent|centime|pour ?cent)|pour cents? dollars?|une paire de',
      `neuf (?:${FRENCH_COUNTED})`,
    ],
    inItsOwn: ['sept|onze|seize|cents?|nul(?:le)?s?|doubles?|triples?|quadruples?|quintuples?|quarts'],
    ordinary: ['(?<=\\d(?:er)? )sept', '(?<=\\d ?)pour cent', 'nulle part'],
  },
  de: {
    always: [
      `(?:zwei|zwo|drei|vier|funf|sechs|sieben|neun|zehn|zwolf|${GERMAN_TENS})${GERMAN_END}|(?:zwei|drei)e[nr]`,
      `(?:${GERMAN}){2,}${GERMAN_END}`,
      `(?:hundert|tausend)${GERMAN_END}|acht(?:mal|fach\\p{L}*|tel[sn]?|einhalb)|million(?:en)?|milliarden?|billion(?:en)?`,
      'dritteln?s?|\\p{L}+einhalb(?:mal)?|anderthalb\\p{L}*|halft(?:e|en)|halb(?:e[nmrs]?)?|halbier\\p{L}*|dutzend(?:e|en|s)?',
      'doppelt(?:e[nmrs]?)?|doppelte|ver(?:doppel|(?:drei|vier|funf|sechs|zehn|hundert)fach)\\p{L}*',
      withNeighbour('eine?[nmrs]?', '(?:einzige[nmrs]? )?(?:dollar|cent|prozent)'),
    ],
    inItsOwn: ['acht|elf|null'],
    ordinary: [
      '(?:nehm|nimm)\\p{L}* (?:\\p{L}+ ){0,4}in acht|in acht (?:ge)?n[eio]\\p{L}*',
      'ausser acht',
      '(?:gib|gebt|geben sie|hab|habt) (?:gut )?acht',
      'acht (?:auf|geben)',
    ],
  },
  it: {
    always: [
      'quattro|cinque|sette|nove|dieci|undici|dodici|(?:tre|quattor|quin|se)dici|dicia(?:ssette|nnove)|diciotto|zeri',
      `(?:${ITALIAN_TENS})(?:${ITALIAN_ONES})|trenta|quaranta|cinquanta|sessanta|settanta|ottanta|novanta`,
      `(?:due|tre|quattro|cinque|sei|sette|otto|nove)(?:cento|mila)(?:${ITALIAN_TENS})?(?:${ITALIAN_ONES})?|cento(?:${ITALIAN_TENS}|${ITALIAN_ONES})`,
      'mille|milion[ei]|miliard[oi]|centinai[oa]|migliai[oa]|(?:dec|dozz|quindic|vent|trent|quarant|cinquant|sessant)in[ae]',
      'raddoppi\\p{L}*|dimezz\\p{L}*|tripl[oiae]|triplic\\p{L}*|quadrupl\\p{L}*|doppi[oae]?|cento',
      withNeighbour('un', 'terzo|quarto|quinto|sesto|settimo|ottavo|nono|decimo|centesimo|dollaro'),
      `l?'?uno per cento|un paio di|mezzo (?:milione|dollaro|migliaio|miliardo)|e mezz[oa]`,
      `sei (?:${ITALIAN_COUNTED})`,
    ],
    inItsOwn: ['due|tre|otto|venti|mila|meta'],
    ordinary: ['(?<=\\d ?)per cento'],
  },
  pt: {
    always: [
      'dois|duas|quatro|cinco|sete|oito|nove|dez|doze|treze|catorze|quatorze|quinze|dez[ea]?[sn]?(?:seis|sete|oito|nove)|dezoito',
      'vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa|cem|(?:du|tre)zent[oa]s|(?:quatro|seis|sete|oito|nove)cent[oa]s|quinhent[oa]s',
      'milh(?:ao|oes|ar|ares)|bilh(?:ao|oes)|metades?|(?:re)?dobr(?:o|ou|ar|aram|ad[oa]s?|aria|ara)|dupli(?:c|qu)\\p{L}*|triplic\\p{L}*',
      'duzias?|dezenas?|centenas?|vintenas?|(?:terca|quarta|quinta|decima) parte|um par de',
      withNeighbour('um', 'terco|quarto|quinto|sexto|setimo|oitavo|nono|decimo|dolar|centavo|por cento'),
      'meio (?:dolar|milhao|milhar)|e mei[oa]',
    ],
    inItsOwn: ['tres|onze|mil|triplo|dupl[oa]s?'],
    ordinary: ['(?<=\\d ?)por cento'],
  },
  nl: {
    always: [
      'twee|vijf|zes|zeven|negen|tien|twaalf|(?:der|veer|vijf|zes|zeven|acht|negen)tien|(?:twin|der|veer|vijf|zes|zeven|tach|negen)tig(?:ers?)?',
      `(?:twee|drie|vier|vijf|zes|zeven|negen|tien)${DUTCH_END}|(?:honderd|duizend)${DUTCH_END}`,
      `(?:${DUTCH})+(?:tien|tig|honderd|duizend)${DUTCH_END}`,
      'miljoen(?:en)?|miljard(?:en)?|helft(?:en)?|halve|(?:ge)?halveer\\p{L}*|anderhal(?:f|ve)|dozijn(?:en)?|tientallen|tiental',
      'dubbel(?:e|en)?|(?:ver|drie|vier|vijf|tien)dubbel\\p{L}*|ver(?:drie|vier|vijf|tien)voudig\\p{L}*|driekwart|achtmaal',
      withNeighbour('een', '(?:enkele )?(?:dollar|cent|procent|derde|vierde|vijfde|zesde|tiende|kwart)'),
      `(?:honderd|duizend)(?:${DUTCH})+|(?:drie|vier)(?:maal|keer|voud\\p{L}*)|nul(?:len)?`,
    ],
    inItsOwn: ['drie|vier|elf|half|kwart|acht'],
    ordinary: [
      '(?:neem|nemen|nam)\\p{L}* (?:\\p{L}+ ){0,4}in acht|in acht (?:te )?n[ea]\\p{L}*',
      'in acht genomen',
      'acht (?:ge)?slaan',
      'vieren',
      'half (?:januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december)',
    ],
  },
  pl: {
    always: [
      'dw(?:ie|och|om|iema|oma|oje|ojga)|dwojk\\p{L}*|trzy|trzech|trzem|trzema|troje|cztery|czter(?:ech|em|ema)|piec(?:iu|ioma)?|szesc(?:iu|ioma)?',
      'siedem|siedmi(?:u|oma)|osiem|osmi(?:u|oma)|dziewiec(?:iu|ioma)?|dziesiec(?:iu|ioma)?|\\p{L}{3,}na(?:scie|stu|stoma)',
      'dwadziescia|dwudziestu|(?:trzy|czter)dziesci|(?:trzy|czter)dziestu|(?:piec|szesc|siedem|osiem|dziewiec)dziesi(?:at|eciu)',
      'dwiescie|dwustu|(?:trzy|cztery)st(?:a|u)|(?:piec|szesc|siedem|osiem|dziewiec|kilka)set|(?:pieci|szesci|siedmi|osmi|dziewieci|kilk)uset',
      'setk(?:a|i|e|o|ami|om|ach)|setek|tysi(?:ac|ec)\\p{L}*|milion\\p{L}*|miliard\\p{L}*|kilka(?:nascie|dziesiat)|kilku(?:nastu|dziesieciu)|dziesiat(?:ek|k\\p{L}*)',
      'polow(?:a|e|y|ie|o|ki|ke)|poltor(?:a|ej)|podw(?:o|aj)[ji]\\p{L}*|potr(?:o|aj)[ji]\\p{L}*|(?:dwu|trzy|cztero|piecio|dziesiecio|stu)krotn\\p{L}*|tuzin\\p{L}*|cwier(?:c|ci)',
      withNeighbour('jed(?:en|nego|nym|nemu)', '(?:dolar|procent|cent)\\p{L}*'),
      'jedn(?:a|ej) (?:trzeci|czwart|piat|szost|osm|dziesiat)(?:a|ej)|(?:trzeci|czwart|piat|szost|dziesiat)[aej]{1,2} czesc\\p{L}*',
      'zer(?:a|em|ami)',
    ],
    inItsOwn: ['dwa|sto|stu|pol|zeru'],
    ordinary: [],
  },
  zh: {
    always: [
      '[一二两三四五六七八九十百千万萬億亿〇兆壱弐参]{2,}|[数几半]?[百千万億亿]|[壹贰貳叁參肆伍柒捌玖佰仟零廿卅俩仨]|翻番|倍',
      '[一二两三四五六七八九十]成|(?:一|大|过|近|减|对|各|多)半|半(?:数|价|额|成|个?百|个?千|个?万)|分之[一二两三四五六七八九十]|[一二两三四五六七八九十]分之',
      '(?<!第)[二两兩三四五六七八九十] ?(?:[个個元块塊次笔筆项項月日天年回件张張条種种份]|美元|美金|点)',
      '一 ?(?:美元|美金|美分|元|块|块钱|分钱)',
    ],
    inItsOwn: ['折'],
    ordinary: [
      '百分(?:之(?=\\d)|比|点)|万一|千万(?=[不别要记])|百货|百姓|万事|百度|千克|零[钱售食用花星]|折[扣线合腾]|[打存对]折|十分(?=[^钟])|一一',
    ],
  },
  ja: {
    always: [
      'ゼロ|半分|半額|半数|半減|倍増|[二三四五六七八九十] ?(?:[つ割度番円個件回月日年人]|ドル|セント|パーセント|%)|一 ?(?:ドル|セント|円|パーセント|%|割)',
      '[二三四五六七八九十百]分の|ふたつ|みっつ|よっつ|いつつ|むっつ|ななつ|やっつ|ここのつ|ダース|トリプル|ダブル',
    ],
    inItsOwn: [],
    ordinary: ['ダブルチェック|二度と|百貨店|万が一|万一|千葉|十分|百均|零細'],
  },
  ar: {
    always: [
      'ثلاث|اربع|خمس|ست|سبع|ثماني|ثمان|تسع|عشر|عشرات|مايه|ميه|ميات|ميتان|ميتين|ميتا|مايتان|مايتين|مايتا|اثنا|اثني|اثنان|اثنين|اثنتان|اثنتين',
      'دولاران|دولارين|دولارا? واحدا?|الف|الاف|الوف|مليون|ملايين|مليار|نصف|انصاف|ضعف|اضعاف|ربع|ارباع|ثلث|صفر|دزينه|عشرينات|[يتنا]?ت?ضاعف\\p{L}*|مضاعف\\p{L}*',
      'واحد (?:بال|في ال)(?:ميه|مايه)',
    ],
    inItsOwn: [],
    ordinary: ['(?<=\\d ?)(?:في |ب)ال(?:ميه|مايه)', 'كميه', 'يوم الاثنين'],
  },
}

/** Small words that Arabic writes as one with the next, and what ends its numbers. */
const ARABIC_BEFORE = '(?:و|ف|ب|ل|ك|ال)*'
const ARABIC_AFTER = '(?:ه|ا|ان|ين|ون|ي|ميه|مايه|عشر)?'

/** Patterns as one, each of whole words where a script parts its words. */
function anyOf(patterns: readonly string[]): string[] {
  return patterns.map((pattern) => {
    if (IS_UNSPACED.test(pattern)) return pattern
    if (!/\p{Script=Arabic}/u.test(pattern)) return String.raw`(?<!\p{L})(?:${pattern})(?!\p{L})`
    return String.raw`(?<!\p{L})${ARABIC_BEFORE}(?:${pattern})${ARABIC_AFTER}(?!\p{L})`
  })
}

/** Beside dollars or per cent, what is a number in another language is one: 'due dollari' in English. */
const BESIDE_UNIT = LANGUAGE_CODES.flatMap((language) => NUMBERS[language].inItsOwn)
  .filter((pattern) => !IS_UNSPACED.test(pattern))
  .map((pattern) => String.raw`(?<!\p{L})(?:${pattern}) ${UNIT}`)
/** One for all languages, which takes a while to make. */
const ALWAYS = new RegExp(
  [...LANGUAGE_CODES.flatMap((language) => anyOf(NUMBERS[language].always)), ...BESIDE_UNIT].join('|'),
  'u',
)

type Finder = { inItsOwn: RegExp | null; ordinary: RegExp | null }

const either = (patterns: readonly string[], flags: string): RegExp | null =>
  patterns.length === 0 ? null : new RegExp(anyOf(patterns).join('|'), flags)

const finderOf = (language: Language): Finder => ({
  inItsOwn: either(NUMBERS[language].inItsOwn, 'u'),
  ordinary: either(NUMBERS[language].ordinary, 'gu'),
})

const made = new Map<Language, Finder>()

/** Whether a text, normalised, has a number in words: nobody checks what it states. */
export function hasNumberWord(text: string, language: string): boolean {
  const spoken = languageOf(language)
  const finder = made.get(spoken) ?? finderOf(spoken)
  made.set(spoken, finder)
  const rest = finder.ordinary ? text.replaceAll(finder.ordinary, ' ') : text
  return ALWAYS.test(rest) || (finder.inItsOwn?.test(rest) ?? false)
}

/** Roman numerals, in capitals. */
const ROMAN = /(?<![\p{L}\p{N}])[IVX]{2,}(?![\p{L}\p{N}])/u
/** The same in any letters, and letters that look like digits, beside what is counted: 'xx dollars', 'lOO dollars'. */
const LIKE_DIGITS = /(?<![\p{L}\p{N}])(?:[VXLCDM]|[IVXLCDM]{2,}|[ivx]{2,}|[OoIlSB]{3,}|[IS][OIS])(?!\p{L})/gu

/** Whether letters of a text stand for a number, which only their capitals and what stands beside them tell from words. */
export const hasLettersForNumber = (text: string): boolean =>
  ROMAN.test(text) ||
  [...text.matchAll(LIKE_DIGITS)].some((match) => UNIT_AFTER.test(text.slice(match.index + match[0].length)))
