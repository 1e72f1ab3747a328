import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { Transaction } from '#contract/accounts.ts'
import { transactionsQuery } from '#web/accounts/queries.ts'
import { money } from '#web/i18n/formats.ts'
import { takeNewMilestones } from '#web/lib/milestones.ts'
import { celebrate } from '#web/ui/celebration/celebrate.ts'

/** Only income from a named payer can be a salary. Interest and cashback come from the bank and have no name. */
const isSalary = ({ name, category, status }: Transaction): boolean =>
  category === 'income' && name.code === 'name' && status === 'completed'

/** Celebrates a customer's first salary once. Earlier transactions are loaded only if the latest ones contain a salary. */
export function useFirstSalary(recent: readonly Transaction[] | undefined): void {
  const { t } = useLingui()
  const income = useInfiniteQuery({
    ...transactionsQuery({ category: 'income' }),
    enabled: recent?.some(isSalary) ?? false,
  })
  const checkSalary = useEffectEvent(
    ([page, ...olderPages]: readonly { transactions: Transaction[]; nextCursor: string | null }[]) => {
      const [salary, ...otherSalaries] = page?.transactions.filter(isSalary) ?? []
      if (!salary || otherSalaries.length > 0 || olderPages.length > 0 || page?.nextCursor) return
      if (takeNewMilestones([{ id: salary.id, isReached: true, isNew: true }]).length === 0) return
      const amount = money(salary.amountMinor, salary.asset)
      const payer = salary.name.params['name'] ?? ''
      const text = t({
        message: `${amount} from ${payer}.`,
        comment: '{amount} is an amount, {payer} the person who paid it',
      })
      void celebrate({ title: t`Your first paycheck is here!`, text }).catch(() => undefined)
    },
  )
  const pages = income.data?.pages
  useEffect(() => {
    if (pages) checkSalary(pages)
  }, [pages])
}
