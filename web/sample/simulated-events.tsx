import { Banknote, Store } from 'lucide-react'
import type { ReactNode } from 'react'
import { money } from '#web/i18n/formats.ts'
import { SHOP_CATEGORIES, type ShopCategory } from '#contract/sample.ts'
import { categoryText, nameText } from '#web/i18n/words.ts'
import { CategoryIcon } from '#web/accounts/shared/category-icon.tsx'
import { useSubmission } from '#web/lib/submission.ts'
import { chargeCard, paySalary } from '#web/sample/queries.ts'
import { cx } from '#web/ui/cx.ts'
import { Card, Section } from '#web/ui/screen.tsx'

/** What shops and an employer would do, at the touch of a button. */
export function SimulatedEvents() {
  const charge = useSubmission({
    send: (category: ShopCategory | null, key) => chargeCard(category ? { category } : {}, key),
    loading: () => 'Paying with your card…',
    success: ({ transaction }) => ({
      message: `${money(-transaction.amountMinor, transaction.asset)} paid at ${nameText(transaction.name)}`,
    }),
  })
  const salary = useSubmission({
    send: (_: 'salary', key) => paySalary(key),
    loading: () => 'Waiting for your salary…',
    success: () => ({ message: 'Payday!' }),
  })
  return (
    <Section title="Make Something Happen">
      <Card>
        <ul className="grid grid-cols-2 gap-px bg-line">
          <EventButton wide onClick={() => void charge.submit(null)}>
            <span aria-hidden className="grid size-11 shrink-0 place-items-center rounded-full bg-muted text-ink-soft">
              <Store className="size-5" strokeWidth={1.9} />
            </span>
            <ButtonText title="A shop charges your card">Any shop, for what people usually pay</ButtonText>
          </EventButton>
          {SHOP_CATEGORIES.map((category) => (
            <EventButton key={category} onClick={() => void charge.submit(category)}>
              <CategoryIcon category={category} />
              <span className="min-w-0 text-sm font-medium">
                <span className="sr-only">A shop charges your card: </span>
                {categoryText(category)}
              </span>
            </EventButton>
          ))}
          <EventButton wide onClick={() => void salary.submit('salary')}>
            <span
              aria-hidden
              className="grid size-11 shrink-0 place-items-center rounded-full bg-primary-subtle text-primary"
            >
              <Banknote className="size-5" strokeWidth={1.9} />
            </span>
            <ButtonText title="Your salary arrives">Sent by your employer's bank</ButtonText>
          </EventButton>
        </ul>
      </Card>
    </Section>
  )
}

type EventButtonProps = { wide?: boolean; onClick: () => void; children: ReactNode }

function EventButton({ wide = false, onClick, children }: EventButtonProps) {
  return (
    <li className={cx('bg-surface', wide && 'col-span-2')}>
      <button
        type="button"
        onClick={onClick}
        className={cx(
          'flex min-h-16 w-full items-center py-2.5 -outline-offset-2 transition-colors duration-150 hover:bg-muted/60 active:bg-muted',
          // On a narrow phone the longest category has no room beside its picture.
          wide
            ? 'gap-3 px-4 text-start'
            : 'gap-3 ps-4 pe-1 text-start max-[23rem]:flex-col max-[23rem]:gap-2 max-[23rem]:px-1',
        )}
      >
        {children}
      </button>
    </li>
  )
}

function ButtonText({ title, children }: { title: string; children: ReactNode }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block font-medium">{title}</span>
      <span className="block text-sm text-ink-soft">{children}</span>
    </span>
  )
}
