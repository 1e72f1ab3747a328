/**
 * Numbers that are written as words: nobody checks what they state, so a reply with one of them is not shown. Words that
 * are mostly something else ('one', 'un', 'ein', 'second') are left out.
 */
const LATIN = [
  // en
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  'twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion trillion',
  'half double twice triple dozen dozens quarter thirds tenth tenfold',
  // es
  'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta cincuenta sesenta',
  'setenta ochenta noventa cien ciento cientos quinientos mil miles millon millones mitad doble triple docena',
  // fr
  'deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante',
  'cent cents mille million millions milliard moitie double triple douzaine',
  // de
  'zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig',
  'hundert tausend million millionen milliarde halfte doppelt dreifach dutzend',
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
  'piecset tysiac tysiace tysiecy milion miliony milionow polowa podwojnie tuzin',
]
  .join(' ')
  .split(' ')

const words = new Set(LATIN)
/** 'sei' is also 'you are' in Italian, 'once' a time in English, 'sept' short for September, 'cent' a coin. */
for (const other of ['sei', 'once', 'sept', 'cent', 'cents', 'tre', 'mila', 'double', 'meta', 'acht'])
  words.delete(other)

/** German and Dutch write compounds: 'fünfhundert', 'vijfhonderd'. */
const COMPOUND = /(?:hundert|tausend|honderd|duizend|hundred|thousand|cientos|cento|sta|set)$/u
const COMPOUND_START =
  /^(?:zwei|drei|vier|funf|sechs|sieben|acht|neun|ein|twee|drie|vijf|zes|zeven|negen|due|tre|cinque|sei|sette|otto|nove|quattro|dos|tres|cuatro|seis|ocho|trzy|czte|piec|szesc|siedem|osiem|dziewiec)/u

/** Chinese and Japanese: two numerals in a row, or one with its unit. */
const HAN =
  /[一二两三四五六七八九十百千万萬億亿零〇兆壱弐参]{2,}|[数几半]?[百千万億亿]|[一二两三四五六七八九十][成倍]|半分/u
/** Arabic, as it is normalised: the numbers from three on, and the units. */
const ARABIC =
  /(?<!\p{L})(?:و|ب|ل|ال)*(?:ثلاث|اربع|خمس|ست|سبع|ثماني|ثمان|تسع|عشر|مايه|ميه|ميات|ميتان|ميتين|مايتان|مايتين|الف|الاف|مليون|ملايين|مليار|نصف|ضعف|ربع|ثلث)(?:ه|ا|ان|ين|ون|ميه|مايه|عشر)?(?!\p{L})/u

/** Whether a text, normalised, has a number in words. */
export function hasNumberWord(text: string): boolean {
  if (HAN.test(text) || ARABIC.test(text)) return true
  return text.split(/[^\p{L}]+/u).some((word) => words.has(word) || (COMPOUND.test(word) && COMPOUND_START.test(word)))
}
