import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Clock } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'react-router'
import { articlesAbout } from '#web/help/shared/articles.ts'
import { useArticles } from '#web/help/shared/article-texts.ts'
import { ArticlesLoading } from '#web/help/articles-loading.tsx'
import { ContactOptions } from '#web/help/contact-options.tsx'
import { searchArticles, searchWords } from '#web/help/search.ts'
import { SearchCountAnnouncement, SearchResults } from '#web/help/search-results.tsx'
import { searchOfTopic, topicIn } from '#web/help/shared/address.ts'
import { HELP_TOPICS, type HelpTopic } from '#web/help/shared/topics.ts'
import { fallbacksOf, stepsOf } from '#web/help/steps.ts'
import { TOPIC_LOOKS } from '#web/help/shared/topic-looks.ts'
import { TopicArticles } from '#web/help/topic-articles.tsx'
import { useSearch } from '#web/help/use-search.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { LinkRow } from '#web/ui/row.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'

/** Shows the help center, or the articles of the topic in the address. */
export function HelpScreen() {
  const topic = topicIn(useLocation().search)
  useFocusOn(topic)
  return topic ? <TopicArticles key={topic} topic={topic} /> : <HelpHome />
}

/** Moves the focus to the heading when the topic changes, because all topics share one path. */
function useFocusOn(topic: HelpTopic | null): void {
  const previous = useRef(topic)
  useEffect(() => {
    if (previous.current === topic) return
    previous.current = topic
    document.querySelector<HTMLElement>('[data-list] h1, [data-screen] h1')?.focus({ preventScroll: true })
  }, [topic])
}

/**
 * Moves the focus from the search box to the first result on the down arrow. Within the list, the list handles the arrow keys.
 */
function toFirstResult(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'ArrowDown' || event.nativeEvent.isComposing) return
  const first = event.currentTarget.closest('[data-screen]')?.querySelector<HTMLElement>('[data-results] a')
  if (!first) return
  event.preventDefault()
  first.focus()
}

function HelpHome() {
  const { t } = useLingui()
  const { text, setText, settle } = useSearch()
  // The articles load before the first letter is typed.
  const { articles, ...loading } = useArticles()
  const searchableArticles = useMemo(
    () => articles?.map((article) => ({ ...article, steps: [...stepsOf(article.id), fallbacksOf(article.id) ?? ''] })),
    [articles],
  )
  const words = searchWords(text)
  const isSearching = words.length > 0
  const results = isSearching && searchableArticles ? searchArticles(searchableArticles, words) : null
  return (
    <Screen title={t`Help Center`} back={paths.settings}>
      <div className="flex">
        <SearchBox
          label={t`Search for help`}
          placeholder={t`Search for help`}
          value={text}
          onChange={setText}
          onBlur={settle}
          onKeyDown={toFirstResult}
        />
      </div>
      <SearchCountAnnouncement text={text} results={results} />
      {results && <SearchResults text={text} results={results} />}
      {isSearching && !results && <ArticlesLoading {...loading} />}
      {!isSearching && (
        <>
          <ContactOptions />
          <Topics />
          <AroundTheClock />
        </>
      )}
    </Screen>
  )
}

function Topics() {
  const { t } = useLingui()
  return (
    <Section title={t`Popular Topics`}>
      <Card>
        <ul className="divide-y divide-line">
          {HELP_TOPICS.map((topic) => {
            const { name, icon, tint } = TOPIC_LOOKS[topic]
            const count = articlesAbout(topic).length
            return (
              <li key={topic}>
                <LinkRow
                  icon={icon}
                  tint={tint}
                  title={t(name)}
                  description={<Plural value={count} one="# article" other="# articles" />}
                  to={{ pathname: paths.helpCenter, search: searchOfTopic(topic) }}
                />
              </li>
            )
          })}
        </ul>
      </Card>
    </Section>
  )
}

/** Shows the advisor as available around the clock. The bank promises this for the advisor alone. */
function AroundTheClock() {
  const { t } = useLingui()
  return (
    <section aria-label={t`24/7 Support`} className="rounded-card bg-primary-subtle p-5 text-center">
      <Clock aria-hidden className="mx-auto size-6 text-primary" strokeWidth={1.9} />
      <h2 className="mt-2 text-[1.0625rem] font-semibold tracking-tight text-primary">
        <Trans>24/7 Support</Trans>
      </h2>
      <p className="mt-1 text-[0.9375rem] text-pretty text-ink-soft">
        <Trans>Our AI advisor is here day and night. Average response: under 2 minutes.</Trans>
      </p>
      <ButtonLink to={paths.aiAdvisor} className="mt-4 w-full">
        <Trans>Start Chat Now</Trans>
      </ButtonLink>
    </section>
  )
}
