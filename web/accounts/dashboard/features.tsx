import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Bitcoin, ChartPie, Gift, HandCoins, Leaf, type LucideIcon, Sparkles, Split } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { cx } from '#web/ui/cx.ts'
import { Card, Section } from '#web/ui/screen.tsx'

type Feature = { label: MessageDescriptor; icon: LucideIcon; to: string; tint: string; isWide?: true }

/** The first tile is as wide as two, so that seven tiles fill two rows of four. */
const FEATURES: readonly Feature[] = [
  { label: msg`AI Advisor`, icon: Sparkles, to: paths.aiAdvisor, tint: 'text-orange', isWide: true },
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

/** Shows links to the bank's other features. */
export function Features() {
  const { t } = useLingui()
  return (
    <Section title={t`More Features`} className="-mt-2">
      <Card className="@container">
        <ul className="grid grid-cols-4 gap-px bg-line @max-[18rem]:grid-cols-3 @max-[13rem]:grid-cols-2 @max-[9.5rem]:grid-cols-1">
          {FEATURES.map(({ label, icon: Icon, to, tint, isWide = false }) => (
            <li key={to} className={cx('bg-surface', isWide && 'col-span-2 @max-[18rem]:col-span-full')}>
              <Link
                to={to}
                className={cx(
                  'flex h-full min-h-15 flex-col items-center gap-1 px-1 pt-2.5 pb-2 text-center text-[0.8125rem] leading-tight rtl:leading-normal font-medium -outline-offset-2',
                  'transition-colors duration-150 hover:bg-muted/60 active:bg-muted',
                )}
              >
                <Icon aria-hidden className={cx('size-[1.375rem] shrink-0', tint)} strokeWidth={1.8} />
                <span className="max-w-full">{t(label)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}
