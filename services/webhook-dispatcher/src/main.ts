import { runMain } from '@trunkline/service';
import { service } from './service.js';

void runMain(service);
