import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Division } from '#contract/bills.ts'
import { money, precisePercentage } from '#web/i18n/formats.ts'
import { PeopleOptions, type Sharer } from '#web/bills/people-options.tsx'
import { remainingShare, type Sharing } from '#web/bills/sharing.ts'
import { useLazy, usePreload } from '#web/lib/lazy.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { FieldNote } from '#web/ui/field.tsx'
import { Money } from '#web/ui/money.tsx'

type SharingFieldsProps = {
  people: readonly Sharer[]
  /** The total in cents, or 0 while it is unknown. */
  totalMinor: number
  sharing: Sharing
  onChange: (sharing: Sharing) => void
  /** Each person's current share and the customer's own share, or null while they cannot be computed. */
  shares: { ownMinor: number; othersMinor: readonly number[] } | null
  error: string | undefined
  /** Shown below the people: the way to add more. */
  children?: ReactNode
}

const loadChoice = () => import('#web/ui/segmented.tsx')

/** Shows the people who share a bill, and their shares. */
export function SharingFields({ people, totalMinor, sharing, onChange, shares, error, children }: SharingFieldsProps) {
  const { t } = useLingui()
  const { chosen, division, typed } = sharing
  usePreload(loadChoice)
  const choice = useLazy(loadChoice, chosen.length > 0)
  const ownShareText = division === 'equal' ? null : ownText(totalMinor, sharing)
  const options: { value: Division; label: string }[] = [
    { value: 'equal', label: t({ message: 'Equally', context: 'how a bill is split' }) },
    { value: 'amounts', label: t({ message: 'By amount', context: 'how a bill is split' }) },
    { value: 'percents', label: t({ message: 'By percent', context: 'how a bill is split' }) },
  ]
  const amounts = new Map(
    people.map(({ id }) => {
      const shareMinor = shares?.othersMinor[chosen.indexOf(id)]
      return [id, totalMinor > 0 && <Share key={id} shareMinor={shareMinor} totalMinor={totalMinor} />]
    }),
  )
  const fields = new Map(
    people.map((person) => [
      person.id,
      division !== 'equal' && (
        <ShareField
          key={person.id}
          person={person}
          division={division}
          value={typed[person.id] ?? ''}
          onChange={(text) => onChange({ ...sharing, typed: { ...typed, [person.id]: text } })}
        />
      ),
    ]),
  )
  const toggle = (id: string) =>
    onChange({
      ...sharing,
      chosen: chosen.includes(id) ? chosen.filter((chosenId) => chosenId !== id) : [...chosen, id],
    })
  return (
    <fieldset className="flex min-w-0 flex-col gap-3" aria-describedby={error ? 'sharing-note' : undefined}>
      <legend className="px-1 pb-2 text-[1.0625rem] font-semibold tracking-tight">
        <Trans>Split With</Trans>
      </legend>
      <PeopleOptions
        people={people}
        chosen={chosen}
        onToggle={toggle}
        failed={!!error}
        trailing={amounts}
        below={fields}
      >
        {children}
      </PeopleOptions>
      <FieldNote id="sharing-note" error={error} />
      {chosen.length > 0 && (
        <>
          {choice && (
            <choice.Segmented
              label={t`How to Split`}
              options={options}
              value={division}
              onChange={(next) => onChange({ ...sharing, division: next, typed: {} })}
            />
          )}
          {ownShareText !== null && <OwnShare shareText={ownShareText} />}
        </>
      )}
    </fieldset>
  )
}

/** Shows a person's share. The space fits the whole bill from the start, so that no row moves when a person is chosen. */
function Share({ shareMinor, totalMinor }: { shareMinor: number | undefined; totalMinor: number }) {
  return (
    <span className="grid justify-items-end font-semibold">
      <Money amountMinor={totalMinor} asset="USD" className="invisible col-start-1 row-start-1" />
      {shareMinor !== undefined && <Money amountMinor={shareMinor} asset="USD" className="col-start-1 row-start-1" />}
    </span>
  )
}

/** Returns the customer's own share as text, or null if the others' shares exceed the total. */
function ownText(totalMinor: number, sharing: Sharing): string | null {
  const ownShare = remainingShare(totalMinor, sharing)
  if (ownShare < 0) return null
  return sharing.division === 'amounts' ? money(ownShare, 'USD') : precisePercentage(ownShare / 100)
}

function OwnShare({ shareText }: { shareText: string }) {
  const share = <strong className="tabular font-semibold text-ink">{shareText}</strong>
  return (
    <p className="px-1 text-[0.9375rem] text-ink-soft">
      <Trans comment="{share} is an amount or a percentage">Your share: {share}</Trans>
    </p>
  )
}

type ShareFieldProps = {
  person: Sharer
  division: Exclude<Division, 'equal'>
  value: string
  onChange: (text: string) => void
}

/** The field for a person's share in dollars or percent. Both have two decimals. */
function ShareField({ person: { name }, division, value, onChange }: ShareFieldProps) {
  const { t } = useLingui()
  return (
    <div className="px-4 pb-3">
      <AmountField
        look="inline"
        label={division === 'amounts' ? t`Amount for ${name}` : t`Percentage for ${name}`}
        isPercent={division === 'percents'}
        value={value}
        onChange={onChange}
      />
    </div>
  )
}
