import { fold } from '#contract/folding.ts'
import type { HelpTopic } from '#web/help/shared/topics.ts'

/** Apostrophes within words, and signs that are not seen. */
const WITHIN_WORDS = /['’ʼ\p{Cf}]/gu
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/u

/** The words of a text as they are compared. Whatever is neither letter nor digit stands between words, in every script. */
export function wordsOf(text: string): string[] {
  return fold(text.replaceAll(WITHIN_WORDS, ''))
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
}

/** What is searched: the words of an article in the language in force, and what its topic is called. */
export type Searchable = {
  topic: HelpTopic
  title: string
  body: string
  topicName: string
  /** What to do, and what to do where that does not work. */
  steps: readonly string[]
}

/** How far from the title a word stands; the nearest counts. */
const PLACES = { beginsInTitle: 0, inTitle: 1, inTopic: 2, inBody: 3, inSteps: 4 }

type Compared = { title: string; topicName: string; body: string; steps: string }

/** With a space before each word, so that what begins one is told from what stands in one. */
const joined = (text: string): string => ` ${wordsOf(text).join(' ')}`

function placeOf(word: string, { title, topicName, body, steps }: Compared): number {
  if (title.includes(` ${word}`)) return PLACES.beginsInTitle
  if (title.includes(word)) return PLACES.inTitle
  if (topicName.includes(word)) return PLACES.inTopic
  if (body.includes(word)) return PLACES.inBody
  return steps.includes(word) ? PLACES.inSteps : Infinity
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
 * The articles in which every one of `words` stands, in the title, the topic, the body or the steps: first those with them in the
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
        steps: joined(article.steps.join(' ')),
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
