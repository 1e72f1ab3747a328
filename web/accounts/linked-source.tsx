import { Trans, useLingui } from '@lingui/react/macro'
import { Landmark, type LucideIcon, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LinkedAccount } from '#contract/linked-accounts.ts'
import { cx } from '#web/ui/cx.ts'

type LinkedSourceProps = {
  accounts: readonly LinkedAccount[]
  /** The linked account's id, or '' for an account that is not linked. */
  value: string
  onChange: (id: string) => void
}

/** Lets the customer choose the account at another bank that pays. */
export function LinkedSource({ accounts, value, onChange }: LinkedSourceProps) {
  const { t } = useLingui()
  return (
    <section>
      <h2 id="source" className="px-1 pb-2 text-[1.0625rem] font-semibold tracking-tight">
        <Trans comment="The heading above the accounts from which the money can come">From</Trans>
      </h2>
      <div role="radiogroup" aria-labelledby="source" className="flex flex-col gap-2">
        {accounts.map(({ id, name, lastFour }) => (
          <Choice key={id} id={id} chosen={value === id} icon={Landmark} onChange={onChange}>
            <span className="min-w-0 flex-1 font-medium break-words">{name}</span>
            <bdi dir="ltr" className="tabular text-sm text-ink-soft">
              •••• {lastFour}
            </bdi>
          </Choice>
        ))}
        <Choice id="" chosen={value === ''} icon={Plus} onChange={onChange}>
          <span className="min-w-0 flex-1 font-medium">{t`Another account`}</span>
        </Choice>
      </div>
    </section>
  )
}

type ChoiceProps = {
  id: string
  chosen: boolean
  icon: LucideIcon
  onChange: (id: string) => void
  children: ReactNode
}

function Choice({ id, chosen, icon: Icon, onChange, children }: ChoiceProps) {
  return (
    <label
      className={cx(
        'relative flex min-h-13 flex-wrap items-center gap-x-3 rounded-control border bg-surface px-4 py-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
        chosen ? 'border-primary ring-1 ring-primary' : 'border-line hover:bg-muted/50',
      )}
    >
      <input
        type="radio"
        name="source"
        checked={chosen}
        onChange={() => onChange(id)}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      <Icon aria-hidden className="size-5 shrink-0 text-ink-soft" strokeWidth={1.9} />
      {children}
    </label>
  )
}
