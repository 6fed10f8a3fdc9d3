import type { LoaderFunctionArgs } from 'react-router';
import { ensure } from '../../api/queries.ts';
import type { Handle } from '../../layouts/handle.ts';
import { functionCrumb, functionQuery, idIn } from './function-queries.ts';

/** The parent route of a function's tabs and runs. */
export const handle: Handle = { crumb: functionCrumb, folder: true };
export const loader = ({ params }: LoaderFunctionArgs) => ensure(functionQuery(idIn(params)));
