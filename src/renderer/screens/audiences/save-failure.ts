import { ContractError } from '../../../contract/errors.ts';

/** The field that the engine refuses an audience or a trait for; null for another reason. */
export function refusedField(failure: unknown): 'name' | 'property' | null {
  if (!(failure instanceof ContractError)) return null;
  if (failure.code.startsWith('property_')) return 'property';
  return failure.code === 'audience_name_taken' ? 'name' : null;
}
