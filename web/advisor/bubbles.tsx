import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronRight, Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AdvisedLink, AdvisorExchange, AdvisorStatement } from '#contract/advisor.ts'
import type { ArticleId } from '#contract/help-texts.ts'
import { addressOf } from '#web/advisor/links.ts'
import { linkText, statementText } from '#web/advisor/reply-words.ts'
import { useArticles } from '#web/help/shared/article-texts.ts'
import { useLazy } from '#web/lib/lazy.ts'
import { cx } from '#web/ui/cx.ts'

/** Shows the customer's question at the customer's side of the conversation. */
export function CustomerBubble({ children, className }: { children: string; className?: string }) {
  const { t } = useLingui()
  return (
    <p
      className={cx(
        'ms-auto max-w-[85%] rounded-card rounded-ee-md bg-primary px-4 py-3 whitespace-pre-line text-on-primary [overflow-wrap:anywhere]',
        className,
      )}
    >
      <span className="sr-only">
        {t({ message: 'You said:', comment: 'A screen reader reads this before a message' })}{' '}
      </span>
      {/* The text has the direction of its own letters. The bubble stays at the customer's side. */}
      <span dir="auto" className="block">
        {children}
      </span>
    </p>
  )
}

type RepliedProps = {
  children: ReactNode
  links?: readonly AdvisedLink[]
  /** Shown below the text, as wide as the space allows. */
  cards?: ReactNode
}

/** Shows the advisor's text. */
export function AdvisorBubble({ children, links, cards }: RepliedProps) {
  return (
    <div className={cx('flex gap-2.5', cards ? 'max-w-140' : 'max-w-[92%]')}>
      <span className="mt-1 grid size-8 shrink-0 place-items-center rounded-full bg-primary-subtle text-primary max-[15rem]:hidden">
        <Sparkles aria-hidden className="size-4" strokeWidth={2} />
      </span>
      <div className={cx('flex min-w-0 flex-col items-start gap-2', cards && 'flex-1')}>
        <div className="max-w-full rounded-card rounded-ss-md border border-line bg-surface px-4 py-3 shadow-card [overflow-wrap:anywhere]">
          {children}
          {links && links.length > 0 && <Links links={links} />}
        </div>
        {cards}
      </div>
    </div>
  )
}

function Links({ links }: { links: readonly AdvisedLink[] }) {
  const { t } = useLingui()
  const uniqueLinks = links.filter(
    (link, index) => links.findIndex((other) => linkText(other) === linkText(link)) === index,
  )
  return (
    <ul
      aria-label={t({ message: 'More about this', comment: 'The heading of links below a reply' })}
      className="mt-2.5 flex flex-wrap gap-2"
    >
      {uniqueLinks.map((link) => (
        <li key={linkText(link)} className="max-w-full">
          <Link
            to={addressOf(link)}
            className="inline-flex min-h-11 max-w-full items-center gap-1 rounded-full bg-muted ps-4 pe-3 text-[0.9375rem] font-semibold text-primary transition-colors hover:bg-line"
          >
            <bdi className="min-w-0 py-1.5">{linkText(link)}</bdi>
            <ChevronRight aria-hidden className="size-4 shrink-0 rtl:-scale-x-100" strokeWidth={2.2} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Shows three dots until a reply arrives. */
export function TypingIndicator() {
  return (
    <AdvisorBubble>
      <p className="flex min-h-6 items-center gap-1.5">
        <span className="sr-only">
          <Trans>Looking at your figures…</Trans>
        </span>
        {[0, 150, 300].map((delay) => (
          <span
            key={delay}
            aria-hidden
            className="size-2 animate-pulse rounded-full bg-ink-soft motion-reduce:animate-none"
            style={{ animationDelay: `${delay}ms` }}
          />
        ))}
      </p>
    </AdvisorBubble>
  )
}

const loadCards = () => import('#web/advisor/cards.tsx')

type ExchangeProps = {
  exchange: AdvisorExchange
  /** True for the last exchange. Follow-up questions are offered below it. */
  isLast: boolean
}

/** Shows a question and its reply: the text, and cards with the underlying figures. */
export function ExchangeBubbles({ exchange: { question, statements }, isLast }: ExchangeProps) {
  const statementsWithCard = statements.filter(({ card }) => card)
  const cards = useLazy(loadCards, statementsWithCard.length > 0)
  const isCarded = cards !== null && statementsWithCard.length > 0
  // Each sentence has its own link until the cards load, and also if loading fails.
  const links = statements.flatMap(({ link, card }) => (link && !(card && isCarded) ? [link] : []))
  return (
    <>
      <CustomerBubble>{question}</CustomerBubble>
      <AdvisorBubble
        links={links}
        cards={
          isCarded &&
          statementsWithCard.map((statement) => <cards.ReplyCard key={statementText(statement)} said={statement} />)
        }
      >
        <div className="space-y-2">
          {statements.map((statement) => (
            <Sentence
              key={statement.code === 'article' ? statement.article : statementText(statement)}
              statement={statement}
              isLast={isLast}
            />
          ))}
        </div>
      </AdvisorBubble>
    </>
  )
}

function Sentence({ statement, isLast }: { statement: AdvisorStatement; isLast: boolean }) {
  if (statement.code === 'article') return <ArticleSentence id={statement.article} />
  // The examples of the last reply are offered below it as buttons.
  if (statement.code === 'example' && isLast) return null
  return <p>{statementText(statement)}</p>
}

/** Shows a help article. Its text is loaded on demand. */
function ArticleSentence({ id }: { id: ArticleId }) {
  const { articles } = useArticles()
  const article = articles?.find((candidate) => candidate.id === id)
  return (
    <p className="min-h-6">
      {article && (
        <>
          <strong className="font-semibold">{article.title}</strong>
          <br />
          {article.body}
        </>
      )}
    </p>
  )
}
