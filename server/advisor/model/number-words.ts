/**
 * Numbers that are written as words: nobody checks what they state, so a reply with one of them is not shown. Words that
 * are mostly something else ('one', 'un', 'ein', 'second') are left out.
 */
const LATIN = [
  // en
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  'twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion trillion',
  'half halves double twice triple dozen dozens quarter quarters thirds fifths tenth tenths tenfold',
  // es
  'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta cincuenta sesenta',
  'setenta ochenta noventa cien ciento cientos quinientos mil miles millon millones mitad doble triple docena',
  // fr
  'deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante',
  'cent cents mille million millions milliard moitie double triple douzaine',
  // de
  'zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig',
  'hundert tausend million millionen milliarde halfte doppelt dreifach dutzend drittel viertel funftel sechstel achtel zehntel',
  // it
  'due tre quattro cinque sei sette otto nove dieci undici dodici venti trenta quaranta cinquanta sessanta settanta ottanta',
  'novanta cento duecento mille mila milione milioni meta doppio triplo dozzina',
  // pt
  'dois duas tres quatro cinco sete oito nove dez onze doze vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
  'cem cento duzentos quinhentos mil milhao milhoes metade dobro triplo duzia',
  // nl
  'twee drie vier vijf zes zeven acht negen tien elf twaalf twintig dertig veertig vijftig zestig zeventig tachtig negentig',
  'honderd duizend miljoen miljard helft dubbel driedubbel dozijn',
  // pl
  'dwa dwie trzy cztery piec szesc siedem osiem dziewiec dziesiec dwadziescia trzydziesci czterdziesci piecdziesiat sto dwiescie',
  'piecset tysiac tysiace tysiecy milion miliony milionow polowa podwojnie tuzin dwoch trzech czterech pieciu szesciu siedmiu osmiu',
  'dziewieciu dziesieciu stu dwustu cwierc jedenascie',
]
  .join(' ')
  .split(' ')

const words = new Set(LATIN)
/** 'sei' is also 'you are' in Italian, 'once' a time in English, 'sept' short for September, 'cent' a coin. */
const ALLOWED = new Set(['sei', 'once', 'sept', 'cent', 'cents', 'tre', 'mila', 'double', 'meta', 'acht'])
for (const other of ALLOWED) words.delete(other)

/** German and Dutch write compounds: 'fünfhundert', 'vijfhonderd'. */
const COMPOUND = /(?:hundert|tausend|honderd|duizend|hundred|thousand|cientos|cento|sta|set)$/u
const COMPOUND_START =
  /^(?:zwei|drei|vier|funf|sechs|sieben|acht|neun|ein|twee|drie|vijf|zes|zeven|negen|due|tre|cinque|sei|sette|otto|nove|quattro|dos|tres|cuatro|seis|ocho|trzy|czte|piec|szesc|siedem|osiem|dziewiec)/u

/** Numbers that are one word put together from others, from their first part to their last. */
const WRITTEN_AS_ONE: readonly RegExp[] = [
  /^(?:ein|zwei|drei|vier|funf|sechs?|sieb(?:en)?|acht|neun|zehn|elf|zwolf|und|zwan|zig|dreissig|hundert|tausend){2,}$/u,
  /^(?:een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|dertien|veertien|en|twintig|dertig|veertig|tachtig|tig|honderd|duizend)+(?:tien|twintig|dertig|veertig|tachtig|tig|honderd|duizend)$/u,
  /^(?:venti?|trenta?|quaranta?|cinquanta?|sessanta?|settanta?|ottanta?|novanta?|(?:due|tre|quattro|cinque|sei|sette|otto|nove)?(?:cento?|mila)|mille){1,3}(?:uno?|due|tre|quattro|cinque|sei|sette|otto|nove|dieci)?$/u,
  /^(?:un|do|tre|quattor|quin|se|dicias|dician)(?:dici|sette|nove)$|^diciotto$/u,
  /^(?:veinti|dieci)(?:un|uno|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)$/u,
  /^(?:dos|tres|cuatro|quin|seis|sete|nove|ocho|du|tre|tres|trez|quatro|oito)(?:cientos|cientas|centos|centas|ientos|ientas|zentos|zentas|entos|entas)$/u,
  /^(?:dwa|dwu|trzy|trze|czter|pie[ct]|szes|siedem|osiem|dziewie[ct])\p{L}*(?:nascie|nastu|dzies[ct]i|dziesci|dziesiat|dziesieciu|dziestu|sta|stu|set)$/u,
]

/** A part of a whole, of words that alone are something else. */
const FRACTION =
  /(?<!\p{L})(?:(?:a|one) (?:third|fourth|fifth|sixth|eighth)|un (?:tiers|quart|cinquieme|dixieme|tercio|cuarto|quinto|decimo|terzo)|um (?:terco|quarto|quinto|decimo)|een (?:derde|kwart|vijfde|tiende)|jedn[ea]j? (?:trzecia|czwarta|piata|dziesiata)|a couple of)(?!\p{L})/u
/** Roman numerals, in capitals. */
const ROMAN = /(?<![\p{L}\p{N}])[IVX]{2,}(?![\p{L}\p{N}])/u

/** Chinese and Japanese: two numerals in a row, or one with its unit. */
const HAN =
  /[一二两三四五六七八九十百千万萬億亿零〇兆壱弐参]{2,}|[数几半]?[百千万億亿]|[一二两三四五六七八九十][成倍]|半分|[二两兩三四五六七八九十]\s?(?:[个個美元块塊次笔筆项項月日天年回件つか割度番円]|ドル)|[壹贰貳叁參肆伍柒捌玖佰仟]/u
/** Arabic, as it is normalised: the numbers from three on, and the units. */
const ARABIC =
  /(?<!\p{L})(?:و|ب|ل|ال)*(?:ثلاث|اربع|خمس|ست|سبع|ثماني|ثمان|تسع|عشر|مايه|ميه|ميات|ميتان|ميتين|مايتان|مايتين|مايتا|اثنان|اثنين|اثنتان|اثنتين|دولاران|دولارين|الف|الاف|مليون|ملايين|مليار|نصف|ضعف|ربع|ثلث)(?:ه|ا|ان|ين|ون|ميه|مايه|عشر)?(?!\p{L})/u

/** Whether a text has a Roman numeral, which only its capitals tell from words. */
export const hasRomanNumber = (text: string): boolean => ROMAN.test(text)

/** Whether a text, normalised, has a number in words. */
export function hasNumberWord(text: string, language: string): boolean {
  if (HAN.test(text) || ARABIC.test(text) || FRACTION.test(text)) return true
  return text.split(/[^\p{L}]+/u).some(
    (word) =>
      // What is due in English is two in Italian.
      (words.has(word) && !(word === 'due' && language === 'en')) ||
      (COMPOUND.test(word) && COMPOUND_START.test(word)) ||
      (!ALLOWED.has(word) && WRITTEN_AS_ONE.some((number) => number.test(word))),
  )
}
