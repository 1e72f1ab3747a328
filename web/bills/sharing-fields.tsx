import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Division } from '#contract/bills.ts'
import { money, precisePercentage } from '#web/i18n/formats.ts'
import { PeopleOptions, type Sharer } from '#web/bills/people-options.tsx'
import { ownPart, type Sharing } from '#web/bills/sharing.ts'
import { useOnDemand, usePreload } from '#web/lib/on-demand.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { FieldNote } from '#web/ui/field.tsx'
import { Money } from '#web/ui/money.tsx'

type SharingFieldsProps = {
  people: readonly Sharer[]
  /** What is to be shared, cents; 0 while it is not known. */
  totalMinor: number
  sharing: Sharing
  onChange: (sharing: Sharing) => void
  /** What each of the chosen pays as things stand, and what is left for oneself; null while that is not known. */
  shares: { ownMinor: number; othersMinor: readonly number[] } | null
  error: string | undefined
  /** Stands under the people: how to add more. */
  children?: ReactNode
}

const loadChoice = () => import('#web/ui/segmented.tsx')

/** Who shares a bill, and how. */
export function SharingFields({ people, totalMinor, sharing, onChange, shares, error, children }: SharingFieldsProps) {
  const { t } = useLingui()
  const { chosen, division, typed } = sharing
  usePreload(loadChoice)
  const choice = useOnDemand(loadChoice, chosen.length > 0)
  const own = division === 'equal' ? null : ownText(totalMinor, sharing)
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
      chosen: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id],
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
          {own !== null && <OwnShare own={own} />}
        </>
      )}
    </fieldset>
  )
}

/** What somebody pays. There is room for the whole bill from the start, so that no row jumps when somebody is chosen. */
function Share({ shareMinor, totalMinor }: { shareMinor: number | undefined; totalMinor: number }) {
  return (
    <span className="grid justify-items-end font-semibold">
      <Money amountMinor={totalMinor} asset="USD" className="invisible col-start-1 row-start-1" />
      {shareMinor !== undefined && <Money amountMinor={shareMinor} asset="USD" className="col-start-1 row-start-1" />}
    </span>
  )
}

/** What is left for oneself, as it is written; null where others pay more than all of it. */
function ownText(totalMinor: number, sharing: Sharing): string | null {
  const own = ownPart(totalMinor, sharing)
  if (own < 0) return null
  return sharing.division === 'amounts' ? money(own, 'USD') : precisePercentage(own / 100)
}

function OwnShare({ own }: { own: string }) {
  const share = <strong className="tabular font-semibold text-ink">{own}</strong>
  return (
    <p className="px-1 text-[0.9375rem] text-ink-soft">
      <Trans comment="share: an amount or a percentage">Your share: {share}</Trans>
    </p>
  )
}

type ShareFieldProps = {
  person: Sharer
  division: Exclude<Division, 'equal'>
  value: string
  onChange: (text: string) => void
}

/** What somebody pays, in dollars or in per cent: both are written with two decimals. */
function ShareField({ person: { name }, division, value, onChange }: ShareFieldProps) {
  const { t } = useLingui()
  return (
    <div className="px-4 pb-3">
      <AmountField
        look="inline"
        label={division === 'amounts' ? t`Amount for ${name}` : t`Percent for ${name}`}
        isPercent={division === 'percents'}
        value={value}
        onChange={onChange}
      />
    </div>
  )
}
