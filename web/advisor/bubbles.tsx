import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronRight, Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AdvisedLink, Exchange, Statement } from '#contract/advisor.ts'
import type { ArticleId } from '#contract/help-texts.ts'
import { addressOf } from '#web/advisor/links.ts'
import { linkText, statementText } from '#web/advisor/reply-words.ts'
import { useArticles } from '#web/help/shared/article-texts.ts'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { cx } from '#web/ui/cx.ts'

/** What the customer said, at their own side. */
export function Said({ children, className }: { children: string; className?: string }) {
  const { t } = useLingui()
  return (
    <p
      className={cx(
        'ms-auto max-w-[85%] rounded-card rounded-ee-md bg-primary px-4 py-3 whitespace-pre-line text-on-primary [overflow-wrap:anywhere]',
        className,
      )}
    >
      <span className="sr-only">{t({ message: 'You said:', comment: 'For screen readers, before a message' })} </span>
      {/* As it was typed, whatever the bank's language; the bubble stays at the customer's side. */}
      <span dir="auto" className="block">
        {children}
      </span>
    </p>
  )
}

type RepliedProps = {
  children: ReactNode
  links?: readonly AdvisedLink[]
  /** Stand below the words, as wide as there is room. */
  cards?: ReactNode
}

/** What the advisor says. */
export function Replied({ children, links, cards }: RepliedProps) {
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
  const shown = links.filter((link, index) => links.findIndex((one) => linkText(one) === linkText(link)) === index)
  return (
    <ul
      aria-label={t({ message: 'More about this', comment: 'Names links under a reply' })}
      className="mt-2.5 flex flex-wrap gap-2"
    >
      {shown.map((link) => (
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

/** Three dots while a reply is on its way. */
export function OnItsWay() {
  return (
    <Replied>
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
    </Replied>
  )
}

const loadCards = () => import('#web/advisor/cards.tsx')

type ExchangeProps = {
  exchange: Exchange
  /** What can be asked after it is offered below it. */
  isLast: boolean
}

/** A question and its reply: in words, and what it was made from as cards. */
export function ExchangeBubbles({ exchange: { question, statements }, isLast }: ExchangeProps) {
  const carded = statements.filter(({ card }) => card)
  const cards = useOnDemand(loadCards, carded.length > 0)
  const isCarded = cards !== null && carded.length > 0
  // Until the cards are there, and where they do not come, each sentence has its own link.
  const links = statements.flatMap(({ link, card }) => (link && !(card && isCarded) ? [link] : []))
  return (
    <>
      <Said>{question}</Said>
      <Replied
        links={links}
        cards={isCarded && carded.map((said) => <cards.ReplyCard key={statementText(said)} said={said} />)}
      >
        <div className="space-y-2">
          {statements.map((said) => (
            <Sentence key={said.code === 'article' ? said.article : statementText(said)} said={said} isLast={isLast} />
          ))}
        </div>
      </Replied>
    </>
  )
}

function Sentence({ said, isLast }: { said: Statement; isLast: boolean }) {
  if (said.code === 'article') return <ArticleSaid id={said.article} />
  // Those of the last reply are offered below it.
  if (said.code === 'example' && isLast) return null
  return <p>{statementText(said)}</p>
}

/** What an article of the help center says. Its words come when they are needed. */
function ArticleSaid({ id }: { id: ArticleId }) {
  const { articles } = useArticles()
  const article = articles?.find((one) => one.id === id)
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
