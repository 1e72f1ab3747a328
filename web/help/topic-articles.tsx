import { useLingui } from '@lingui/react/macro'
import { ArticleRows } from '#web/help/article-row.tsx'
import { useArticles } from '#web/help/shared/article-texts.ts'
import { ArticlesLoading } from '#web/help/articles-loading.tsx'
import { searchOfTopic } from '#web/help/shared/address.ts'
import type { HelpTopic } from '#web/help/shared/topics.ts'
import { TOPIC_LOOKS } from '#web/help/shared/topic-looks.ts'
import { paths } from '#web/lib/paths.ts'
import { Card, Screen } from '#web/ui/screen.tsx'

/** Lists all articles of a topic. */
export function TopicArticles({ topic }: { topic: HelpTopic }) {
  const { t } = useLingui()
  const { articles, ...loading } = useArticles()
  return (
    <Screen title={t(TOPIC_LOOKS[topic].name)} back={paths.helpCenter}>
      {articles ? (
        <Card>
          <ArticleRows articles={articles.filter((article) => article.topic === topic)} search={searchOfTopic(topic)} />
        </Card>
      ) : (
        <ArticlesLoading {...loading} />
      )}
    </Screen>
  )
}
