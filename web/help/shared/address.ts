import { type HelpTopic, isHelpTopic } from '#web/help/shared/topics.ts'

/** The query parameters for the topic, the article and the search text. */
const [TOPIC, ARTICLE, SEARCHED] = ['topic', 'id', 'q']

const MAX_LETTERS = 100

export function topicIn(search: string): HelpTopic | null {
  const topic = new URLSearchParams(search).get(TOPIC)
  return topic !== null && isHelpTopic(topic) ? topic : null
}

export const searchTextIn = (search: string): string =>
  (new URLSearchParams(search).get(SEARCHED) ?? '').slice(0, MAX_LETTERS)

export const articleIdIn = (search: string): string | null => new URLSearchParams(search).get(ARTICLE)

export const searchOfTopic = (topic: HelpTopic): string => `?${TOPIC}=${topic}`

function withParam(search: string, name: string, value: string): string {
  const params = new URLSearchParams(search)
  if (value === '') params.delete(name)
  else params.set(name, value)
  return params.size === 0 ? '' : `?${params}`
}

export const withSearchText = (search: string, text: string): string =>
  withParam(search, SEARCHED, text.trim().slice(0, MAX_LETTERS))
export const withArticle = (search: string, id: string): string => withParam(search, ARTICLE, id)
/** Returns the query string of the list from which an article was opened. */
export const withoutArticle = (search: string): string => withParam(search, ARTICLE, '')
