import { useEffect, useState } from 'react'

type Estimator = typeof import('#web/identity/password/strength.ts')

/**
 * The estimator and its lists of common passwords, fetched while the person looks for their password's first letter.
 * Null until they are there, and while they are not needed.
 */
export function useEstimator(needed = true): Estimator | null {
  const [estimator, setEstimator] = useState<Estimator | null>(null)
  useEffect(() => {
    // Without the estimator there is no meter; the bank still has its rule.
    if (needed) import('#web/identity/password/strength.ts').then(setEstimator, () => {})
  }, [needed])
  return estimator
}
