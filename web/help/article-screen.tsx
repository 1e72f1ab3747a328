import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowRight, FileQuestion } from 'lucide-react'
import { useLocation } from 'react-router'
import { type Article, articleOf } from '#web/help/shared/articles.ts'
import { useArticles } from '#web/help/shared/article-texts.ts'
import { ArticlesLoading } from '#web/help/articles-loading.tsx'
import { SCREEN_NAMES } from '#web/help/screen-names.ts'
import { articleIdIn, withoutArticle } from '#web/help/shared/address.ts'
import { TOPIC_LOOKS } from '#web/help/shared/topic-looks.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { RowIcon } from '#web/ui/row.tsx'
import { Card, Screen } from '#web/ui/screen.tsx'

/** The article that the address names. */
export function ArticleScreen() {
  const article = articleOf(articleIdIn(useLocation().search))
  return article ? <Read article={article} /> : <Missing />
}

function Read({ article }: { article: Article }) {
  const { t } = useLingui()
  const { search } = useLocation()
  const { articles, ...loading } = useArticles()
  const written = articles?.find(({ id }) => id === article.id)
  const { icon, tint, name } = TOPIC_LOOKS[article.topic]
  const screenName = SCREEN_NAMES[article.path]
  return (
    <Screen title={written?.title ?? t`Help Center`} back={paths.helpCenter + withoutArticle(search)}>
      {written ? (
        <Card className="flex flex-col gap-4 p-5">
          <p className="flex items-center gap-3 text-sm font-medium text-ink-soft">
            <RowIcon icon={icon} tint={tint} />
            <span className="min-w-0">{t(name)}</span>
          </p>
          <p className="text-base leading-relaxed text-pretty">{written.body}</p>
          <ButtonLink
            to={article.path}
            icon={<ArrowRight aria-hidden className="order-last size-5 rtl:-scale-x-100" strokeWidth={2} />}
          >
            {screenName && t(screenName)}
          </ButtonLink>
        </Card>
      ) : (
        <ArticlesLoading {...loading} />
      )}
    </Screen>
  )
}

function Missing() {
  const { t } = useLingui()
  return (
    <Screen title={t`Help Center`} back={paths.helpCenter} className="justify-center">
      <Notice
        icon={FileQuestion}
        title={t`Article not found`}
        action={
          <ButtonLink to={paths.helpCenter}>
            <Trans>Help Center</Trans>
          </ButtonLink>
        }
      >
        <Trans>Choose an article from the list, or search for one.</Trans>
      </Notice>
    </Screen>
  )
}
