import { i18n } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Messages } from '#locales/catalog.ts'
import { textOf } from '#web/i18n/words.ts'
import { ARTICLES, type Article } from '#web/help/shared/articles.ts'
import { TOPIC_LOOKS } from '#web/help/shared/topic-looks.ts'

/**
 * The catalogs of articles, one file per language, which only the help center loads (locales/vite-plugin.ts). English is part
 * of this file.
 */
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

/** Returns all articles in the current language, or null while they load. */
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
