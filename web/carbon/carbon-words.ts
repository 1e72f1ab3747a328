import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Car, type LucideIcon, ShoppingBag, Utensils, Zap } from 'lucide-react'
import type { CarbonCategory } from '#contract/carbon-terms.ts'
import type { RowTint } from '#web/ui/row.tsx'

type Look = {
  icon: LucideIcon
  tint: RowTint
  name: MessageDescriptor
  tips: readonly [MessageDescriptor, MessageDescriptor]
}

/** What each part of a footprint is called and looks like, and what makes it smaller. */
export const CARBON_LOOKS: Record<CarbonCategory, Look> = {
  transport: {
    icon: Car,
    tint: 'blue',
    name: msg({ message: 'Transport', context: 'carbon footprint' }),
    tips: [msg`Walk or cycle short trips.`, msg`Take the train or bus, or share a ride.`],
  },
  shopping: {
    icon: ShoppingBag,
    tint: 'purple',
    name: msg({ message: 'Shopping', context: 'carbon footprint' }),
    tips: [msg`Choose things that last, and repair them.`, msg`Look for second-hand first.`],
  },
  food: {
    icon: Utensils,
    tint: 'orange',
    name: msg({ message: 'Food', context: 'carbon footprint' }),
    tips: [msg`Try a few meals a week without meat.`, msg`Plan meals, so that less is thrown away.`],
  },
  energy: {
    icon: Zap,
    tint: 'primary',
    name: msg({ message: 'Energy', context: 'carbon footprint' }),
    tips: [msg`Turn the heating down by one degree.`, msg`Switch off what you're not using.`],
  },
}
