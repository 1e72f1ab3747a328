import { i18n } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Messages } from '#locales/catalog.ts'
import { textOf } from '#web/i18n/words.ts'
import { ARTICLES, type Article } from '#web/help/shared/articles.ts'
import { TOPIC_LOOKS } from '#web/help/shared/topic-looks.ts'

/** The part of each language that is read here alone (locales/vite.ts). English comes with this file. */
const PARTS = import.meta.glob<{ messages: Messages }>(['/locales/*.po', '!/locales/en.po'], { query: '?articles' })

const articleTextsQuery = (language: string) =>
  queryOptions({
    queryKey: ['article-texts', language],
    queryFn: async () => {
      const part = await PARTS[`/locales/${language}.po`]?.()
      if (part) i18n.load(language, part.messages)
      return language
    },
    staleTime: Infinity,
    gcTime: Infinity,
  })

export type WrittenArticle = Article & { title: string; body: string; topicName: string }

/** All articles in the language in force; null until they have come. */
export function useArticles() {
  const { t } = useLingui()
  const { locale } = i18n
  const { data, error, isFetching, refetch } = useQuery(articleTextsQuery(locale))
  const articles = useMemo<readonly WrittenArticle[] | null>(
    () =>
      data === locale
        ? ARTICLES.map((article) => ({
            ...article,
            title: textOf('help', `${article.id}.title`),
            body: textOf('help', `${article.id}.body`),
            topicName: t(TOPIC_LOOKS[article.topic].name),
          }))
        : null,
    [data, locale, t],
  )
  return { articles, failed: error !== null && !articles, isFetching, retry: () => void refetch() }
}
