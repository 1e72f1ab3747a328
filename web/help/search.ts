import { fold } from '#contract/folding.ts'
import type { HelpTopic } from '#web/help/shared/topics.ts'

/** Apostrophes within words, and invisible format characters. */
const WITHIN_WORDS = /['’ʼ\p{Cf}]/gu
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/u

/**
 * Returns the words of a text in a form for comparison. Apostrophes and invisible format characters are removed. All other
 * characters except letters, digits and combining marks separate words.
 */
export function searchWords(text: string): string[] {
  return fold(text.replaceAll(WITHIN_WORDS, ''))
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
}

/** The searchable texts of an article in the current language, and the name of its topic. */
export type Searchable = {
  topic: HelpTopic
  title: string
  body: string
  topicName: string
  /** The steps of the article, and its advice if the steps fail. */
  steps: readonly string[]
}

/** The rank of a match by its place. The lowest number wins. */
const PLACES = { beginsInTitle: 0, inTitle: 1, inTopic: 2, inBody: 3, inSteps: 4 }

type Compared = { title: string; topicName: string; body: string; steps: string }

/** Joins the words with a space before each, so that the beginning of a word can be distinguished from its middle. */
const joinWords = (text: string): string => ` ${searchWords(text).join(' ')}`

function placeOf(word: string, { title, topicName, body, steps }: Compared): number {
  if (title.includes(` ${word}`)) return PLACES.beginsInTitle
  if (title.includes(word)) return PLACES.inTitle
  if (topicName.includes(word)) return PLACES.inTopic
  if (body.includes(word)) return PLACES.inBody
  return steps.includes(word) ? PLACES.inSteps : Infinity
}

/** The length from which a word is also searched without its plural ending or article. Shorter words would lose too much. */
const FORMS_FROM = 5

/** Returns the forms of a word to search: "passwords" also finds "password", and in Arabic "the card" also finds "card". */
function formsOf(word: string): string[] {
  if (word.length < FORMS_FROM) return [word]
  if (word.endsWith('s')) return [word, word.slice(0, -1)]
  return word.startsWith('ال') ? [word, word.slice(2)] : [word]
}

/**
 * Returns the articles that contain all `words` in the title, topic, body or steps. Matches in the title come first. Articles
 * of equal rank keep their order. A word also matches inside another word, because many languages form compounds and some write
 * no spaces.
 */
export function searchArticles<Item extends Searchable>(articles: readonly Item[], words: readonly string[]): Item[] {
  return articles
    .map((article) => {
      const foldedTexts = {
        title: joinWords(article.title),
        topicName: joinWords(article.topicName),
        body: joinWords(article.body),
        steps: joinWords(article.steps.join(' ')),
      }
      const rank = words.reduce(
        (sum, word) => sum + Math.min(...formsOf(word).map((form) => placeOf(form, foldedTexts))),
        0,
      )
      return { article, rank }
    })
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ article }) => article)
}
