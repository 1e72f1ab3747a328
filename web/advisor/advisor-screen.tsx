import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { ExchangeBubbles, TypingIndicator, AdvisorBubble, CustomerBubble } from '#web/advisor/bubbles.tsx'
import { ClearButton } from '#web/advisor/clear-button.tsx'
import { Composer } from '#web/advisor/composer.tsx'
import { QuestionSuggestions, Offers } from '#web/advisor/offers.tsx'
import { conversationQuery } from '#web/advisor/queries.ts'
import { useAskAdvisor } from '#web/advisor/use-asking.ts'
import { useIsConnected } from '#web/lib/connection.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { useBreakpoint } from '#web/ui/breakpoint.ts'

export function AdvisorScreen() {
  const { t } = useLingui()
  const query = useQuery(conversationQuery)
  const { data } = query
  const { pending, isBusy, ask, askAgain, drop } = useAskAdvisor()
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const isUp = useIsConnected()
  const isWide = useBreakpoint() === 'panes'
  const exchanges = data?.exchanges ?? []
  // Replies that an older version cached on the device have no `next`.
  const offers = pending ? [] : (exchanges.at(-1)?.next ?? [])

  function send(): void {
    const question = text.trim()
    if (question === '' || isBusy) return
    setText('')
    ask(question)
    field.current?.focus()
  }
  function askOffered(question: string): void {
    if (!isBusy && isUp) ask(question)
  }
  function fill(prompt: string): void {
    setText(prompt)
    field.current?.focus()
  }
  return (
    <QueryScreen
      query={query}
      title={t`AI Advisor`}
      loading={t`Loading your conversation`}
      back={paths.dashboard}
      actions={exchanges.length > 0 && <ClearButton onCleared={drop} />}
      className="!pb-0"
    >
      <Beside aside={isWide && <QuestionSuggestions onAsk={askOffered} />}>
        <div
          ref={keepEndInView}
          role="log"
          aria-label={t`Conversation`}
          aria-busy={data ? undefined : true}
          className="flex flex-1 flex-col gap-4"
        >
          <AdvisorBubble>
            <p>
              <Trans>Hi! I'm your AI advisor. Ask me about your spending, your savings or the month ahead.</Trans>
            </p>
          </AdvisorBubble>
          {exchanges.map((exchange, index) => (
            <ExchangeBubbles
              key={exchange.id}
              exchange={exchange}
              isLast={!pending && index === exchanges.length - 1}
            />
          ))}
          {offers.length > 0 && <Offers offers={offers} onAsk={askOffered} />}
          {pending && (
            <CustomerBubble className={pending.failure === null ? '' : 'opacity-70'}>{pending.question}</CustomerBubble>
          )}
          {isBusy && <TypingIndicator />}
          {pending?.failure && <NotSent failure={pending.failure} onAgain={askAgain} />}
        </div>
        <div className="sticky bottom-(--tabs) z-10 -mx-4 scroll-mb-0 bg-canvas px-4 pt-1 pb-[max(1rem,calc(env(safe-area-inset-bottom)-var(--tabs)))]">
          {data && exchanges.length === 0 && !pending && <Prompts onChoose={fill} />}
          <Composer text={text} onText={setText} onSend={send} busy={isBusy} field={field} />
        </div>
      </Beside>
    </QueryScreen>
  )
}

/** Shows the conversation, and suggested questions beside it on wide screens. */
function Beside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  if (!aside) return children
  return (
    <div data-panes className="grid flex-1 grid-cols-[minmax(0,1fr)_19rem] gap-6">
      <div className="flex min-w-0 flex-col gap-5">{children}</div>
      <div>{aside}</div>
    </div>
  )
}

/** Scrolls the page to its end each time the element grows. */
function keepEndInView(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined
  let height = 0
  const observer = new ResizeObserver(() => {
    if (element.scrollHeight > height) window.scrollTo({ top: document.documentElement.scrollHeight })
    height = element.scrollHeight
  })
  observer.observe(element)
  return () => observer.disconnect()
}

/** Shows questions for a new conversation. A press puts the question into the field without sending it. */
function Prompts({ onChoose }: { onChoose: (prompt: string) => void }) {
  const { t } = useLingui()
  const prompts = [t`How can I save more?`, t`Investment tips`, t`Reduce my spending`]
  return (
    <ul aria-label={t`Suggestions`} className="mb-3 flex flex-wrap gap-2">
      {prompts.map((prompt) => (
        <li key={prompt} className="max-w-full">
          <Button variant="secondary" size="small" className="max-w-full" onClick={() => onChoose(prompt)}>
            {prompt}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function NotSent({ failure, onAgain }: { failure: string; onAgain: () => void }) {
  return (
    <div role="alert" className="ms-auto flex max-w-[85%] flex-col items-end gap-2">
      <p className="text-sm font-medium text-danger">{failure}</p>
      <Button variant="secondary" size="small" icon={<RefreshCw aria-hidden className="size-4" />} onClick={onAgain}>
        <Trans>Try Again</Trans>
      </Button>
    </div>
  )
}
