import { type HelpTopic, isHelpTopic } from '#web/help/shared/topics.ts'

/** The names in the query string under which an address says which topic or article it shows, and what was searched for. */
const [TOPIC, ARTICLE, SEARCHED] = ['topic', 'id', 'q']

const MOST_LETTERS = 100

export function topicIn(search: string): HelpTopic | null {
  const topic = new URLSearchParams(search).get(TOPIC)
  return topic !== null && isHelpTopic(topic) ? topic : null
}

export const searchedIn = (search: string): string =>
  (new URLSearchParams(search).get(SEARCHED) ?? '').slice(0, MOST_LETTERS)

export const articleIdIn = (search: string): string | null => new URLSearchParams(search).get(ARTICLE)

export const searchOfTopic = (topic: HelpTopic): string => `?${TOPIC}=${topic}`

function changed(search: string, name: string, value: string): string {
  const params = new URLSearchParams(search)
  if (value === '') params.delete(name)
  else params.set(name, value)
  return params.size === 0 ? '' : `?${params}`
}

export const withSearched = (search: string, text: string): string =>
  changed(search, SEARCHED, text.trim().slice(0, MOST_LETTERS))
export const withArticle = (search: string, id: string): string => changed(search, ARTICLE, id)
/** The list that an article was opened from. */
export const withoutArticle = (search: string): string => changed(search, ARTICLE, '')
