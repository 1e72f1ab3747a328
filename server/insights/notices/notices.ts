import type { SliceNotices } from '#server/notifications/topics.ts'

/** Budgets that are used, and recurring payments that cost more. */
export const insightNotices = {
  budgetNear: { kind: 'budget_near', topic: 'money_out' },
  budgetSpent: { kind: 'budget_spent', topic: 'money_out' },
  priceRaised: { kind: 'price_raised', topic: 'money_out' },
} as const satisfies SliceNotices
