import { Trans, useLingui } from '@lingui/react/macro'
import { type ChangeEvent, type ReactNode, useState } from 'react'
import { rangeFault, type StatementRange } from '#contract/statement-range.ts'
import type { StatementAccount } from '#contract/statements.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { leftToRight } from '#web/i18n/formats.ts'
import { Downloads } from '#web/statements/downloads.tsx'
import { presetsOf, rangeOfMonth } from '#web/statements/presets.ts'
import { StatementTotals } from '#web/statements/statement-totals.tsx'
import { cx } from '#web/ui/cx.ts'
import { Columns } from '#web/ui/columns.tsx'
import { Field } from '#web/ui/field.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ZoneNote } from '#web/ui/zone-note.tsx'

type AccountsAndDays = { accounts: StatementAccount[]; today: string; since: string }

type AccountStatementProps = {
  /** The accounts and days to choose from; undefined until they load. */
  about: AccountsAndDays | undefined
  month: string | null
  children: ReactNode
}

/** The chosen statement. A new `month` in the address resets the choice. */
type StatementChoice = { month: string | null; id: string; range: StatementRange }

function firstChoice(month: string | null, today: string): StatementChoice {
  const range = rangeOfMonth(month, today) ?? rangeOfMonth(today.slice(0, 7), today) ?? { from: today, to: today }
  return { month, id: 'current', range }
}

/**
 * Shows the choice of an account and a period. Beside it are the totals, the files and `children`, which stay in place while
 * the rest loads.
 */
export function AccountStatementView({ about, month, children }: AccountStatementProps) {
  const [requestedChoice, setRequestedChoice] = useState<StatementChoice | null>(null)
  const choice = about && (requestedChoice?.month === month ? requestedChoice : firstChoice(month, about.today))
  const isRange = !choice || rangeFault(choice.range, about.today) === null
  const request = choice && isRange ? { id: choice.id, range: choice.range } : null
  return (
    <Columns>
      <Choices>
        {choice ? (
          <>
            {about.accounts.length > 1 && (
              <AccountChoice
                accounts={about.accounts}
                chosen={choice.id}
                onChange={(id) => setRequestedChoice({ ...choice, id })}
              />
            )}
            <PeriodChoice
              about={about}
              range={choice.range}
              onChange={(range) => setRequestedChoice({ ...choice, range })}
            />
          </>
        ) : (
          <ChoicesSkeleton />
        )}
      </Choices>
      <>
        {isRange && <StatementTotals request={request} />}
        <Downloads request={request} />
        {children}
      </>
    </Columns>
  )
}

/** Explains statements and shows the choices. */
function Choices({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  return (
    <Section title={t`Account Statement`}>
      <Card className="space-y-5 p-4">
        <p className="text-[0.9375rem] text-pretty text-ink-soft">
          <Trans>
            See the money that came in and went out over any period, and download it as a PDF or for other software.
          </Trans>
        </p>
        {children}
        <ZoneNote />
      </Card>
    </Section>
  )
}

function PeriodLegend() {
  return <Trans comment="The period of a statement">Period</Trans>
}

function Choice({ legend, children }: { legend: ReactNode; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-semibold">{legend}</legend>
      {children}
    </fieldset>
  )
}

/** On a phone the periods are in one row that scrolls sideways. Several rows would fill half the screen. */
const PERIODS = '-mx-4 flex gap-2 overflow-x-auto px-4 *:shrink-0 lg:mx-0 lg:flex-wrap lg:px-0'
const ACCOUNTS = 'flex flex-wrap gap-2'

type ChipProps = { on: boolean; onClick: () => void; children: ReactNode }

function Chip({ on, onClick, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={cx(
        'min-h-11 max-w-full rounded-full border px-4 py-1.5 text-[0.9375rem] font-medium break-words transition-colors first-letter:uppercase',
        on ? 'border-primary bg-primary text-on-primary' : 'border-line bg-surface text-ink hover:bg-muted',
      )}
    >
      {children}
    </button>
  )
}

type AccountChoiceProps = { accounts: StatementAccount[]; chosen: string; onChange: (id: string) => void }

function AccountChoice({ accounts, chosen, onChange }: AccountChoiceProps) {
  const { t } = useLingui()
  return (
    <Choice legend={<Trans>Account</Trans>}>
      <div className={ACCOUNTS}>
        {accounts.map(({ id, name, lastFour }) => (
          <Chip key={id} on={id === chosen} onClick={() => onChange(id)}>
            {name === null ? (
              t`Checking Account`
            ) : (
              <>
                <bdi>{name}</bdi> {lastFour !== null && leftToRight(`•••• ${lastFour}`)}
              </>
            )}
          </Chip>
        ))}
      </div>
    </Choice>
  )
}

type PeriodChoiceProps = { about: AccountsAndDays; range: StatementRange; onChange: (range: StatementRange) => void }

function PeriodChoice({ about, range, onChange }: PeriodChoiceProps) {
  const { t } = useLingui()
  const { from, to } = range
  const [typing, setTyping] = useState<keyof StatementRange | null>(null)
  const fault = rangeFault(range, about.today)
  const day = (field: keyof StatementRange) => ({
    type: 'date',
    value: range[field],
    max: about.today,
    // A year is typed digit by digit, so an incomplete year shows no error while its field is edited.
    error: fault?.field === field && !(fault.isBegun && typing === field) ? errorText(fault.code) : undefined,
    onFocus: () => setTyping(field),
    onBlur: () => setTyping(null),
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ ...range, [field]: event.currentTarget.value }),
  })
  return (
    <Choice legend={<PeriodLegend />}>
      <div className={cx('mb-3', PERIODS)}>
        {presetsOf(about).map((preset) => (
          <Chip
            key={preset.label}
            on={preset.range.from === from && preset.range.to === to}
            onClick={() => onChange(preset.range)}
          >
            {preset.label}
          </Chip>
        ))}
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
        <Field label={t({ message: 'From', context: 'first day' })} {...day('from')} />
        <Field label={t({ message: 'To', context: 'last day' })} {...day('to')} />
      </div>
    </Choice>
  )
}

/** A placeholder with the height of the content that replaces it. */
function ChoicesSkeleton() {
  return (
    <>
      <ChoiceSkeleton legend={<Trans>Account</Trans>} row={ACCOUNTS} widths={['w-36', 'w-44', 'w-40', 'w-32']} />
      <ChoiceSkeleton
        legend={<PeriodLegend />}
        row={PERIODS}
        widths={['w-32', 'w-28', 'w-29', 'w-27', 'w-31', 'w-30', 'w-24']}
      >
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
          <FieldSkeleton />
          <FieldSkeleton />
        </div>
      </ChoiceSkeleton>
    </>
  )
}

type ChoiceSkeletonProps = { legend: ReactNode; row: string; widths: readonly string[]; children?: ReactNode }

function ChoiceSkeleton({ legend, row, widths, children }: ChoiceSkeletonProps) {
  return (
    <div>
      <p className="mb-2 font-semibold">{legend}</p>
      <div className={cx('mb-3', row)}>
        {widths.map((width) => (
          <Skeleton key={width} className={cx('h-11 max-w-full !rounded-full', width)} />
        ))}
      </div>
      {children}
    </div>
  )
}

function FieldSkeleton() {
  return (
    <div>
      <Skeleton line className="mb-1.5 w-12 text-sm" />
      <Skeleton className="h-13 !rounded-control" />
    </div>
  )
}
