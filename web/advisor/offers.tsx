import { useLingui } from '@lingui/react/macro'
import { CalendarDays, ChartPie, type LucideIcon, PiggyBank, ShieldCheck } from 'lucide-react'
import type { Offer } from '#contract/advisor-terms.ts'
import { offerText } from '#web/advisor/reply-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/screen.tsx'

type OnAsk = (question: string) => void

/** Shows follow-up questions after a reply. A press sends the question. */
export function Offers({ offers, onAsk }: { offers: readonly Offer[]; onAsk: OnAsk }) {
  const { t } = useLingui()
  return (
    <ul
      aria-label={t({ message: 'Ask Next', comment: 'The heading of suggested questions below a reply' })}
      className="flex flex-wrap gap-2 ps-10.5 max-[15rem]:ps-0"
    >
      {offers.map((offer) => (
        <li key={offer} className="max-w-full">
          <Button
            variant="secondary"
            size="small"
            className="max-w-full !text-primary"
            onClick={() => onAsk(offerText(offer))}
          >
            {offerText(offer)}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Shows questions for any time, beside the conversation on wide screens. */
export function QuestionSuggestions({ onAsk }: { onAsk: OnAsk }) {
  const { t } = useLingui()
  const groups: { icon: LucideIcon; title: string; offers: readonly Offer[] }[] = [
    { icon: ChartPie, title: t`Spending`, offers: ['spending', 'compare', 'largest'] },
    { icon: CalendarDays, title: t`What's Coming`, offers: ['payday', 'upcoming', 'recurring', 'forecast'] },
    { icon: PiggyBank, title: t`Savings`, offers: ['goals', 'goal_what_if', 'afford'] },
    { icon: ShieldCheck, title: t`Your Account`, offers: ['balance', 'fees', 'safe'] },
  ]
  return (
    <aside
      aria-label={t`What You Can Ask`}
      className="sticky top-4 -mx-1 flex max-h-[calc(100dvh-7rem)] flex-col gap-3 overflow-y-auto px-1 pb-6"
    >
      {groups.map(({ icon: Icon, title, offers }) => (
        <Card key={title} className="shrink-0 py-1.5">
          <h2 className="flex items-center gap-2 px-4 pt-2 pb-1 text-sm font-semibold text-ink-soft">
            <Icon aria-hidden className="size-4 shrink-0" strokeWidth={2} />
            {title}
          </h2>
          <ul>
            {offers.map((offer) => (
              <li key={offer}>
                <button
                  type="button"
                  onClick={() => onAsk(offerText(offer))}
                  className="min-h-11 w-full px-4 py-2 text-start text-[0.9375rem] font-medium -outline-offset-2 transition-colors hover:bg-muted/60"
                >
                  {offerText(offer)}
                </button>
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </aside>
  )
}
