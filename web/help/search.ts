import type { HelpTopic } from '#web/help/shared/topics.ts'

/** Letters that decomposing leaves as they are, and what is typed for them. */
const LIKE: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  // Arabic: the alef without its hamza or madda comes by decomposing, these do not.
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  // Persian and Urdu keyboards.
  ی: 'ي',
  ک: 'ك',
}
const LIKE_ONE_OF = new RegExp(`[${Object.keys(LIKE).join('')}]`, 'gu')

/** Marks on letters, but for those that make another syllable of a Japanese one. */
const MARKS = /[\p{M}--[\u3099\u309A]]/gv
/** Apostrophes within words, Arabic's lengthening stroke, and signs that are not seen. */
const WITHIN_WORDS = /['’ʼ\u0640\p{Cf}]/gu
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u

/**
 * The words of a text as they are compared: without case, accents and vowel signs, in whichever width, and with letters
 * that are typed for each other made one. Whatever is neither letter nor digit stands between words, in every script.
 */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replaceAll(MARKS, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(WITHIN_WORDS, '')
    .replaceAll(LIKE_ONE_OF, (letter) => LIKE[letter] ?? letter)
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
}

/** What is searched: the words of an article in the language in force, and what its topic is called. */
export type Searchable = { topic: HelpTopic; title: string; body: string; topicName: string }

/** How far from the title a word stands; the nearest counts. */
const PLACES = { beginsInTitle: 0, inTitle: 1, inTopic: 2, inBody: 3 }

type Compared = { title: string; topicName: string; body: string }

/** With a space before each word, so that what begins one is told from what stands in one. */
const joined = (text: string): string => ` ${wordsOf(text).join(' ')}`

function placeOf(word: string, { title, topicName, body }: Compared): number {
  if (title.includes(` ${word}`)) return PLACES.beginsInTitle
  if (title.includes(word)) return PLACES.inTitle
  if (topicName.includes(word)) return PLACES.inTopic
  return body.includes(word) ? PLACES.inBody : Infinity
}

/** Shorter words lose too much with a letter. */
const FORMS_FROM = 5

/** Whoever asks for "passwords" is told of a password, and in Arabic whoever asks for "the card" of a card. */
function formsOf(word: string): string[] {
  if (word.length < FORMS_FROM) return [word]
  if (word.endsWith('s')) return [word, word.slice(0, -1)]
  return word.startsWith('ال') ? [word, word.slice(2)] : [word]
}

/**
 * The articles in which every one of `words` stands, in the title, the topic or the body: first those with them in the
 * title; among equals the order stays. A word is also found as a part of another, for many languages put words together,
 * and some write no spaces.
 */
export function searchArticles<Item extends Searchable>(articles: readonly Item[], words: readonly string[]): Item[] {
  return articles
    .map((article) => {
      const compared = {
        title: joined(article.title),
        topicName: joined(article.topicName),
        body: joined(article.body),
      }
      const rank = words.reduce(
        (sum, word) => sum + Math.min(...formsOf(word).map((form) => placeOf(form, compared))),
        0,
      )
      return { article, rank }
    })
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ article }) => article)
}
