import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { ArrowDownLeft, ArrowUpRight, CreditCard, type LucideIcon, Plus, TrendingUp } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { cx } from '#web/ui/cx.ts'

type Action = { label: MessageDescriptor; icon: LucideIcon; to: string; isFirst?: true }

/** The quick actions and the actions of the balance, in one row if they fit. Send belongs to both, but appears only once. */
const ACTIONS: readonly Action[] = [
  { label: msg`Add Money`, icon: Plus, to: paths.addMoney, isFirst: true },
  { label: msg({ message: 'Send', context: 'money' }), icon: ArrowUpRight, to: paths.transfer },
  { label: msg({ message: 'Request', context: 'money' }), icon: ArrowDownLeft, to: paths.request },
  { label: msg`Cards`, icon: CreditCard, to: paths.cards },
  { label: msg`Invest`, icon: TrendingUp, to: paths.invest },
]

/** Shows the most frequent actions within reach of a thumb, on the brand's color. */
export function QuickActions() {
  const { t } = useLingui()
  return (
    <nav aria-label={t`Quick actions`} className="mt-3 @container">
      <ul className="grid grid-cols-5 gap-y-2 @max-[17rem]:grid-cols-3 @max-[12rem]:grid-cols-2 @max-[8rem]:grid-cols-1">
        {ACTIONS.map(({ label, icon: Icon, to, isFirst }) => (
          <li key={to}>
            <Link
              to={to}
              className="group flex h-full flex-col items-center gap-1.5 rounded-control pt-1 pb-0.5 text-center text-xs leading-tight rtl:leading-normal font-medium"
            >
              <span
                className={cx(
                  'grid size-12 place-items-center rounded-full transition-[background-color,transform] duration-150 group-active:scale-95',
                  isFirst
                    ? 'bg-on-brand text-brand-ink group-hover:bg-on-brand/90'
                    : 'bg-on-brand/14 group-hover:bg-on-brand/24',
                )}
              >
                <Icon aria-hidden className="size-[1.375rem]" strokeWidth={2} />
              </span>
              <span className="max-w-full">{t(label)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
