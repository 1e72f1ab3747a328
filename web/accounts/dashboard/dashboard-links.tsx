import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  ArrowDownLeft,
  ArrowUpRight,
  Bitcoin,
  ChartPie,
  CreditCard,
  Gift,
  HandCoins,
  Leaf,
  type LucideIcon,
  Sparkles,
  Split,
  TrendingUp,
} from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { RowIcon } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

type Destination = { label: MessageDescriptor; icon: LucideIcon; to: string }

const QUICK: readonly Destination[] = [
  { label: msg({ message: 'Send', context: 'money' }), icon: ArrowUpRight, to: paths.transfer },
  { label: msg({ message: 'Request', context: 'money' }), icon: ArrowDownLeft, to: paths.request },
  { label: msg`Cards`, icon: CreditCard, to: paths.cards },
  { label: msg`Invest`, icon: TrendingUp, to: paths.invest },
]

const FEATURES: readonly (Destination & { tint: string })[] = [
  { label: msg`Analytics`, icon: ChartPie, to: paths.analytics, tint: 'text-blue' },
  { label: msg`Crypto`, icon: Bitcoin, to: paths.crypto, tint: 'text-warning' },
  {
    label: msg({ message: 'Carbon', context: 'carbon footprint' }),
    icon: Leaf,
    to: paths.carbonFootprint,
    tint: 'text-success',
  },
  { label: msg`Loans`, icon: HandCoins, to: paths.loans, tint: 'text-purple' },
  { label: msg`Split Bill`, icon: Split, to: paths.splitBill, tint: 'text-blue' },
  { label: msg`Rewards`, icon: Gift, to: paths.rewards, tint: 'text-orange' },
]

export function QuickActions() {
  const { t } = useLingui()
  return (
    <nav aria-label={t`Quick actions`} className="@container">
      <ul className="grid grid-cols-4 gap-y-2 @max-[16rem]:grid-cols-2">
        {QUICK.map(({ label, icon: Icon, to }) => (
          <li key={to}>
            <Link
              to={to}
              className="group flex flex-col items-center gap-2 rounded-control py-1 text-center text-sm font-medium"
            >
              <span className="grid size-14 place-items-center rounded-full bg-primary-subtle text-primary transition-[background-color,color,transform] duration-150 group-hover:bg-primary group-hover:text-on-primary group-active:scale-95">
                <Icon aria-hidden className="size-[1.375rem]" strokeWidth={2} />
              </span>
              {t(label)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const CELL = 'transition-colors duration-150 hover:bg-muted/60 active:bg-muted -outline-offset-2'

export function Features() {
  const { t } = useLingui()
  return (
    <Section title={t`More Features`}>
      <Card className="@container">
        <ul className="grid grid-cols-3 gap-px bg-line @max-[15rem]:grid-cols-2 @max-[9.5rem]:grid-cols-1">
          <li className="col-span-full bg-surface">
            <Link to={paths.aiAdvisor} className={`flex min-h-16 items-center gap-3 px-4 py-3 ${CELL}`}>
              <RowIcon icon={Sparkles} tint="orange" />
              <span className="min-w-0">
                <span className="block font-semibold">
                  <Trans>AI Advisor</Trans>
                </span>
                <span className="block text-sm text-ink-soft">
                  <Trans>Ask anything about your money</Trans>
                </span>
              </span>
            </Link>
          </li>
          {FEATURES.map(({ label, icon: Icon, to, tint }) => (
            <li key={to} className="bg-surface">
              <Link
                to={to}
                className={`flex h-full min-h-22 flex-col items-center gap-2 px-1 pt-4 pb-2 text-center text-sm font-medium ${CELL}`}
              >
                <Icon aria-hidden className={`size-6 ${tint}`} strokeWidth={1.8} />
                {t(label)}
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}
