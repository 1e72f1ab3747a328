import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowRight, FileQuestion, LifeBuoy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { type Article, articleOf, RELATED } from '#web/help/shared/articles.ts'
import { useArticles, type WrittenArticle } from '#web/help/shared/article-texts.ts'
import { ArticleRows } from '#web/help/article-row.tsx'
import { ArticlesLoading } from '#web/help/articles-loading.tsx'
import { ContactOptions } from '#web/help/contact-options.tsx'
import { PICTURES } from '#web/help/article-pictures.ts'
import { SCREEN_NAMES } from '#web/help/screen-names.ts'
import { articleIdIn, withoutArticle } from '#web/help/shared/address.ts'
import { fallbacksOf, stepsOf } from '#web/help/steps.ts'
import { TOPIC_LOOKS } from '#web/help/shared/topic-looks.ts'
import { useLazy } from '#web/lib/lazy.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { RowIcon } from '#web/ui/row.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'

/** Shows the article in the address. */
export function ArticleScreen() {
  const article = articleOf(articleIdIn(useLocation().search))
  useFocusOn(article?.id)
  return article ? <Read key={article.id} article={article} /> : <Missing />
}

/** Moves the focus to the heading of a new article, because all articles share one path. In a list the focus stays. */
function useFocusOn(id: string | undefined): void {
  const previous = useRef(id)
  useEffect(() => {
    if (previous.current === id) return
    previous.current = id
    if (document.activeElement?.closest('[data-list]')) return
    document.querySelector<HTMLElement>('[data-screen=current] h1')?.focus({ preventScroll: true })
  }, [id])
}

function Read({ article }: { article: Article }) {
  const { t } = useLingui()
  const { search } = useLocation()
  const { articles, ...loading } = useArticles()
  const writtenArticle = articles?.find(({ id }) => id === article.id)
  return (
    <Screen title={writtenArticle?.title ?? t`Help Center`} back={paths.helpCenter + withoutArticle(search)}>
      {writtenArticle && articles ? (
        <>
          <Answer article={writtenArticle} />
          <Fails article={writtenArticle} />
          <Section title={t({ message: 'Read Next', comment: 'A heading above other articles of the help center' })}>
            <Card>
              <ArticleRows
                articles={RELATED[article.id].flatMap((id) => articles.filter((candidate) => candidate.id === id))}
                search={search}
              />
            </Card>
          </Section>
          <Section title={t`Still Need Help?`}>
            <ContactOptions />
          </Section>
        </>
      ) : (
        <ArticlesLoading {...loading} />
      )}
    </Screen>
  )
}

const loadPicture = () => import('#web/help/live-picture.tsx')

/** Shows the article's summary, a picture of the screen, the steps and a link to the screen. */
function Answer({ article }: { article: WrittenArticle }) {
  const { t } = useLingui()
  const { icon, tint, name } = TOPIC_LOOKS[article.topic]
  const screenName = SCREEN_NAMES[article.path]
  const picture = PICTURES[article.id]
  const pictured = SCREEN_NAMES[picture.path]
  const live = useLazy(loadPicture, pictured !== undefined)
  return (
    <Card>
      <div className="flex flex-col gap-4 p-5">
        <p className="flex items-center gap-3 text-sm font-medium text-ink-soft">
          <RowIcon icon={icon} tint={tint} />
          <span className="min-w-0">{t(name)}</span>
        </p>
        <p className="text-base leading-relaxed text-pretty">{article.body}</p>
      </div>
      {live && pictured && <live.LivePicture picture={picture} screenName={t(pictured)} />}
      <div className="flex flex-col gap-5 p-5">
        <Steps steps={stepsOf(article.id)} />
        <ButtonLink
          to={article.path}
          icon={<ArrowRight aria-hidden className="order-last size-5 rtl:-scale-x-100" strokeWidth={2} />}
        >
          {screenName && t(screenName)}
        </ButtonLink>
      </div>
    </Card>
  )
}

/**
 * The visible numbers are elements of their own, so the list's markers are empty. Some screen readers ignore a list without
 * markers, but recognize one with empty markers.
 */
function Steps({ steps }: { steps: readonly string[] }) {
  if (steps.length === 0) return null
  return (
    <ol className="flex list-[''] flex-col gap-4">
      {steps.map((step, index) => (
        <li key={step} className="flex gap-3">
          <span
            aria-hidden
            className="tabular grid size-7 shrink-0 place-items-center rounded-full bg-primary-subtle text-[min(0.875rem,20px)] font-semibold text-primary"
          >
            {index + 1}
          </span>
          <span className="min-w-0 flex-1 pt-0.5 leading-relaxed text-pretty">{step}</span>
        </li>
      ))}
    </ol>
  )
}

function Fails({ article }: { article: WrittenArticle }) {
  const fails = fallbacksOf(article.id)
  if (fails === null) return null
  return (
    <section className="rounded-card bg-warning-subtle p-5">
      <h2 className="flex items-center gap-2 font-semibold text-warning">
        <LifeBuoy aria-hidden className="size-5 shrink-0" strokeWidth={2} />
        <Trans>If It Doesn't Work</Trans>
      </h2>
      <p className="mt-1.5 leading-relaxed text-pretty">{fails}</p>
    </section>
  )
}

function Missing() {
  const { t } = useLingui()
  return (
    <Screen title={t`Help Center`} back={paths.helpCenter} className="justify-center">
      <EmptyState
        icon={FileQuestion}
        title={t`Article not found`}
        action={
          <ButtonLink to={paths.helpCenter}>
            <Trans>Help Center</Trans>
          </ButtonLink>
        }
      >
        <Trans>Choose an article from the list, or search for one.</Trans>
      </EmptyState>
    </Screen>
  )
}
